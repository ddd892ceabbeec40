package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Brokers that stop, topics that are missing, records and positions that do not match. */
@Tag("slow")
@Timeout(90)
class SourceOutageTest
{
    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static Producer<byte[], byte[]> producer;

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory, Map.of("group.min.session.timeout.ms", "100"));
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers()), new ByteArraySerializer(),
            new ByteArraySerializer());
    }

    @AfterAll
    static void stopBroker()
    {
        producer.close();
        broker.close();
    }

    private static void put(final String topic, final long first, final long count)
    {
        for (long id = first; id < first + count; id++)
        {
            producer.send(new ProducerRecord<>(topic, 0, null,
                ("{\"id\":" + id + ",\"symbol\":\"S\",\"price\":1.5}").getBytes(StandardCharsets.UTF_8)));
        }
        producer.flush();
    }

    private static RunningSource source(final String topic, final Receiver receiver)
    {
        return new RunningSource(broker.servers(), TestStage.TICK, receiver, source ->
        {
            source.setTopics(topic);
            source.setPartitions("0");
            source.setGroup("group-" + topic);
            source.setAnswerMillis(500);
        });
    }

    @Test
    void shouldReportABrokerThatStopsAndContinueWithTheNextRecord() throws Exception
    {
        broker.createTopic("stopped", 1, Map.of());
        put("stopped", 1, 100);
        final Receiver receiver = new Receiver();
        try (RunningSource source = source("stopped", receiver).start())
        {
            source.awaitRows(100);
            broker.stop();
            source.await("the report", () -> source.stage.raised.containsKey("KAF-0103"));
            assertThat((String)source.figures().get("trouble")).contains("KAF-0103", broker.servers());
            broker.start();
            put("stopped", 101, 100);
            source.awaitRows(200);
            source.await("the end of the outage", () -> source.stage.raised.isEmpty());
            assertThat(receiver.column(0)).containsExactlyElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
        }
    }

    @Test
    void shouldWaitForATopicThatDoesNotExist() throws Exception
    {
        final Receiver receiver = new Receiver();
        try (RunningSource source = source("later", receiver).start())
        {
            source.await("the report", () -> source.stage.raised.containsKey("KAF-0105"));
            broker.createTopic("later", 1, Map.of());
            put("later", 1, 3);
            source.awaitRows(3);
            source.await("the end of the outage", () -> source.stage.raised.isEmpty());
        }
    }

    @Test
    void shouldCountRecordsThatWereDeletedBeforeTheyWereRead() throws Exception
    {
        broker.createTopic("deleted", 1, Map.of());
        put("deleted", 1, 10);
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        try (RunningSource source = source("deleted", receiver).start())
        {
            source.awaitRows(10);
        }
        put("deleted", 11, 10);
        try (Admin admin = broker.admin())
        {
            admin.deleteRecords(Map.of(new TopicPartition("deleted", 0), RecordsToDelete.beforeOffset(15))).all().get();
        }
        try (RunningSource source = source("deleted", receiver).start())
        {
            source.awaitRows(15);
            assertThat(receiver.column(0)).endsWith(10L, 16L, 17L, 18L, 19L, 20L);
            assertThat(source.figures()).containsEntry("lostRecords", 5L);
        }
    }

    @Test
    void shouldNotDropTheRecordsOfATopicThatWasCreatedAgainSilently() throws Exception
    {
        broker.createTopic("again", 1, Map.of());
        put("again", 1, 3);
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        receiver.numbers.put("app/kafka/again-0", 100L);
        try (RunningSource source = source("again", receiver).start())
        {
            source.await("the report", () -> source.stage.raised.containsKey("KAF-0106"));
            assertThat(source.stage.raised.get("KAF-0106")).contains("position=100", "end=3");
        }
    }

    @Test
    void shouldNotRepeatRowsWhileTheTopicOfRejectedRecordsDoesNotExist() throws Exception
    {
        broker.createTopic("mixed", 2, Map.of());
        put("mixed", 1, 2000);
        producer.send(new ProducerRecord<>("mixed", 0, null, new byte[] {'?'})).get();
        put("mixed", 2001, 1000);
        final Receiver receiver = new Receiver();
        try (RunningSource source = new RunningSource(broker.servers(), TestStage.TICK, receiver, each ->
        {
            each.setTopics("mixed");
            each.setDeadLetterTopic("mixed-rejected");
            each.setAnswerMillis(300);
            each.setCommitMillis(60_000);
        }).start())
        {
            source.await("several attempts", () -> source.rejections().size() >= 3);
            assertThat(source.stage.raised).containsKey("KAF-0113");
            assertThat(receiver.size()).isBetween(1, 2000);
            broker.createTopic("mixed-rejected", 1, Map.of());
            source.awaitRows(3000);
            source.await("the end of the outage", () -> source.stage.raised.isEmpty());
        }
        assertThat(receiver.column(0)).containsExactlyElementsOf(LongStream.rangeClosed(1, 3000).boxed().toList());
    }

    @Test
    void shouldStopQuicklyWhileTheBrokersAreAway() throws Exception
    {
        final Receiver receiver = new Receiver();
        try (RunningSource source = new RunningSource("127.0.0.1:1", TestStage.TICK, receiver, each ->
        {
            each.setTopics("any");
            each.setAnswerMillis(500);
        }).start())
        {
            source.await("the report", () -> source.stage.raised.containsKey("KAF-0103"));
            source.suspend();
        }
    }
}
