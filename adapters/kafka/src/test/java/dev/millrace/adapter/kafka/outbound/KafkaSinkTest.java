package dev.millrace.adapter.kafka.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.TestTopic;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records and transactions in a real broker. */
@Tag("slow")
@Timeout(180)
class KafkaSinkTest
{
    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static int topics;

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory, Map.of());
    }

    @AfterAll
    static void stopBroker()
    {
        broker.close();
    }

    private static String topic(final int partitions) throws Exception
    {
        final String name = "out-" + ++topics;
        broker.createTopic(name, partitions, Map.of("max.message.bytes", "20000"));
        return name;
    }

    private static KafkaSink sink(final TestStage stage, final String topic, final Consumer<KafkaSink> properties)
    {
        final KafkaSink sink = new KafkaSink(name -> null);
        sink.setStageContext(stage);
        sink.setServers(broker.servers());
        sink.setTopic(topic);
        sink.setTransactionalId("id-" + topic);
        sink.setAnswerMillis(20_000);
        sink.setMaxRetryMillis(100);
        sink.setCommitMillis(10);
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    private static KafkaSink sink(final String topic, final Consumer<KafkaSink> properties)
    {
        return sink(new TestStage(TestStage.TICK), topic, properties);
    }

    private static List<Long> ids(final List<ConsumerRecord<String, String>> records)
    {
        return records.stream().map(record -> Long.parseLong(record.value().replaceAll("\\D*(\\d+).*", "$1"))).toList();
    }

    private static List<Long> numbers(final long first, final long last)
    {
        return new ArrayList<>(LongStream.rangeClosed(first, last).boxed().toList());
    }

    private static void awaitStored(final KafkaSink sink, final String producer, final long number) throws Exception
    {
        while (sink.receivedFrom(producer) < number)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    void shouldWriteKeysHeadersAndValuesOfJson() throws Exception
    {
        final String topic = topic(1);
        final KafkaSink sink = sink(topic, each ->
        {
            each.setKeyColumn("symbol");
            each.setHeaderColumns("number=id");
            each.setColumns("id, price");
        });
        sink.onBatch(TestStage.ticks(1, 3));
        final List<ConsumerRecord<String, String>> records = TestTopic.read(broker, topic, 3);
        assertThat(records).map(ConsumerRecord::value).containsExactly("{\"id\":1,\"price\":0.25}",
            "{\"id\":2,\"price\":0.5}", "{\"id\":3,\"price\":0.75}");
        assertThat(records.get(0).key()).isEqualTo("S");
        assertThat(new String(records.get(2).headers().lastHeader("number").value())).isEqualTo("3");
        assertThat(sink.statistics()).containsEntry("written", 3L);
        sink.destroy();
    }

    /** The bytes are written out by hand, as README.md describes them. */
    @Test
    void shouldWriteTheWireFormatAndRefuseStringsThatAreTooLong() throws Exception
    {
        final String topic = topic(1);
        final KafkaSink sink = sink(topic, each -> each.setFormat("wire"));
        final EventBatch batch = TestStage.ticks(1, 3);
        TestStage.set(batch, 1, 1, null);
        TestStage.set(batch, 1, 2, "x".repeat(65_536));
        assertThatThrownBy(() -> sink.onBatch(batch)).isInstanceOf(BatchRejectedException.class)
            .hasMessageContaining("KAF-0115").hasMessageContaining("property=symbol bytes=65536");
        assertThat(TestTopic.read(broker, topic, 2, new ByteArrayDeserializer()))
            .map(record -> HexFormat.of().withUpperCase().formatHex(record.value())).containsExactly(
                "0100" + "0100000000000000" + "0100" + "53" + "000000000000D03F",
                "0101" + "02" + "0200000000000000" + "0000" + "000000000000E03F");
        assertThat(sink.statistics()).containsEntry("written", 2L).containsEntry("rejected", 1L);
        sink.destroy();
    }

    @Test
    void shouldWriteCsvToThePartitionsThatRowsName() throws Exception
    {
        final String topic = topic(3);
        final KafkaSink sink = sink(topic, each ->
        {
            each.setFormat("csv");
            each.setPartitionColumn("id");
        });
        assertThatThrownBy(() -> sink.onBatch(TestStage.ticks(1, 4))).isInstanceOf(BatchRejectedException.class)
            .hasMessageContaining("KAF-0115").hasMessageContaining("partition=3")
            .extracting(each -> ((BatchRejectedException)each).rejected().size()).isEqualTo(2);
        final List<ConsumerRecord<String, String>> records = TestTopic.read(broker, topic, 2);
        assertThat(records).map(record -> record.partition() + " " + record.value())
            .containsExactlyInAnyOrder("1 1,S,0.25", "2 2,S,0.5");
        sink.destroy();
    }

    @Test
    void shouldRejectARowThatTheTopicRefusesAndWriteTheOthers() throws Exception
    {
        final String topic = topic(1);
        final KafkaSink sink = sink(topic, each -> { });
        final EventBatch batch = TestStage.ticks(1, 3);
        batch.texts(1).set(1, "x".repeat(30_000));
        assertThatThrownBy(() -> sink.onBatch(batch)).isInstanceOf(BatchRejectedException.class)
            .hasMessageContaining("KAF-0115");
        assertThat(ids(TestTopic.read(broker, topic, 2))).containsExactly(1L, 3L);
        sink.destroy();
    }

    @Test
    void shouldWriteEachNumberedRowOnceAcrossRestarts() throws Exception
    {
        final String topic = topic(2);
        final KafkaSink first = sink(topic, each -> each.setExactlyOnce(true));
        assertThat(first.receivedFrom("p")).isZero();
        first.onBatch(TestStage.numbered(TestStage.ticks(1, 100), "p", 1));
        first.onBatch(TestStage.numbered(TestStage.ticks(51, 100), "p", 51));
        awaitStored(first, "p", 150);
        first.onBatch(TestStage.numbered(TestStage.ticks(151, 10), "p", 151));
        first.destroy();
        final KafkaSink second = sink(topic, each -> each.setExactlyOnce(true));
        assertThat(second.receivedFrom("p")).isEqualTo(160);
        second.onBatch(TestStage.numbered(TestStage.ticks(141, 100), "p", 141));
        awaitStored(second, "p", 240);
        assertThat(second.statistics()).containsEntry("written", 80L).containsEntry("repeated", 20L);
        second.destroy();
        assertThat(ids(TestTopic.read(broker, topic, 240))).containsExactlyInAnyOrderElementsOf(numbers(1, 240));
    }

    @Test
    void shouldDropTheRowsOfATransactionThatItsSinkDidNotCommit() throws Exception
    {
        final String topic = topic(1);
        final TestStage stage = new TestStage(TestStage.TICK);
        final KafkaSink killed = sink(stage, topic, each ->
        {
            each.setExactlyOnce(true);
            each.setCommitMillis(30_000);
            each.setCommitRows(150);
        });
        killed.onBatch(TestStage.numbered(TestStage.ticks(1, 100), "p", 1));
        // It never ends, as after kill -9; its transactional id is taken over.
        final KafkaSink next = sink(topic, each -> each.setExactlyOnce(true));
        assertThat(next.receivedFrom("p")).isZero();
        next.onBatch(TestStage.numbered(TestStage.ticks(1, 50), "p", 1));
        awaitStored(next, "p", 50);
        assertThat(ids(TestTopic.read(broker, topic, 50))).isEqualTo(numbers(1, 50));
        assertThatThrownBy(() -> killed.onBatch(TestStage.numbered(TestStage.ticks(101, 100), "p", 101)))
            .hasMessageContaining("KAF-0117");
        assertThat(stage.raised).containsKey("KAF-0117");
        killed.destroy();
        // The attempt has interrupted its successor, which connects again.
        next.onBatch(TestStage.numbered(TestStage.ticks(51, 50), "p", 51));
        awaitStored(next, "p", 100);
        next.destroy();
        assertThat(ids(TestTopic.read(broker, topic, 100))).isEqualTo(numbers(1, 100));
    }

    @Test
    void shouldDropARefusedRowOfATransactionAndWriteTheOthers() throws Exception
    {
        final String topic = topic(1);
        final KafkaSink sink = sink(topic, each -> each.setExactlyOnce(true));
        final EventBatch batch = TestStage.numbered(TestStage.ticks(1, 3), "p", 1);
        batch.texts(1).set(1, "x".repeat(30_000));
        sink.onBatch(batch);
        awaitStored(sink, "p", 3);
        assertThat(ids(TestTopic.read(broker, topic, 2))).containsExactly(1L, 3L);
        assertThat(sink.statistics()).containsEntry("rejected", 1L);
        sink.destroy();
    }
}
