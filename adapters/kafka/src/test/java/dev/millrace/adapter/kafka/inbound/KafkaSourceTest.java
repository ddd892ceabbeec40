package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestTopic;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
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

/** Records of a real broker, positions of its groups. */
@Tag("slow")
@Timeout(180)
class KafkaSourceTest
{
    private static final EventType ORDER = EventType.tuple("Order", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("shop", CqlType.CHAR));
    private static final EventType FULL = EventType.tuple("Full", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("at", CqlType.TIMESTAMP), new EventProperty("customer", CqlType.CHAR),
        new EventProperty("origin", CqlType.CHAR));

    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static Producer<byte[], byte[]> producer;
    private static int topics;

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory, Map.of());
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers(), "linger.ms", 50),
            new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void stopBroker()
    {
        producer.close();
        broker.close();
    }

    private static String topic(final int partitions) throws Exception
    {
        final String name = "topic-" + ++topics;
        broker.createTopic(name, partitions, Map.of());
        return name;
    }

    private static byte[] bytes(final String text)
    {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static void put(final String topic, final int partition, final String value) throws Exception
    {
        producer.send(new ProducerRecord<>(topic, partition, null, bytes(value))).get();
    }

    /** Orders with consecutive ids, which alternate between the partitions. */
    private static void putOrders(final String topic, final int partitions, final long first, final long count)
    {
        for (long id = first; id < first + count; id++)
        {
            producer.send(new ProducerRecord<>(topic, (int)(id % partitions), null,
                bytes("{\"id\":" + id + ",\"shop\":\"S" + id % 7 + "\"}")));
        }
        producer.flush();
    }

    private static RunningSource source(final String topic, final Receiver receiver,
        final Consumer<KafkaSource> properties)
    {
        return source(ORDER, topic, receiver, properties);
    }

    private static RunningSource source(final EventType type, final String topic, final Receiver receiver,
        final Consumer<KafkaSource> properties)
    {
        return new RunningSource(broker.servers(), type, receiver, source ->
        {
            source.setTopics(topic);
            source.setGroup("group-" + topic);
            properties.accept(source);
        });
    }

    private static long committed(final String topic, final int partition) throws Exception
    {
        try (Admin admin = broker.admin())
        {
            final OffsetAndMetadata position = admin.listConsumerGroupOffsets("group-" + topic)
                .partitionsToOffsetAndMetadata().get().get(new TopicPartition(topic, partition));
            return position == null ? -1 : position.offset();
        }
    }

    private static List<Object> ids(final long first, final long last)
    {
        return new ArrayList<>(LongStream.rangeClosed(first, last).boxed().toList());
    }

    @Test
    void shouldSendTheRowsOfAllPartitionsInTheirOrder() throws Exception
    {
        final String topic = topic(3);
        putOrders(topic, 3, 1, 3000);
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each -> { }).start())
        {
            source.awaitRows(3000);
            assertThat(receiver.rows).contains(List.of(8L, "S1"));
            for (int partition = 0; partition < 3; partition++)
            {
                final int rest = partition;
                assertThat(receiver.column(0).stream().filter(id -> (Long)id % 3 == rest)).isEqualTo(
                    LongStream.rangeClosed(1, 3000).filter(id -> id % 3 == rest).boxed().toList());
            }
        }
    }

    @Test
    void shouldReadRecordsOfCsv() throws Exception
    {
        final String topic = topic(1);
        put(topic, 0, "1;\"a;b\"");
        put(topic, 0, "2;\n");
        put(topic, 0, "3;x\n4;y");
        put(topic, 0, "5;z");
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each ->
        {
            each.setFormat("csv");
            each.setSeparator(";");
        }).start())
        {
            source.awaitRows(3);
            assertThat(receiver.column(0)).containsExactly(1L, 2L, 5L);
            assertThat(receiver.column(1)).containsExactly("a;b", null, "z");
            assertThat(source.rejections()).singleElement().asString().contains("offset=2", "more than one record");
        }
    }

    @Test
    void shouldContinueAfterTheCommittedRecordsWhenItStartsAgain() throws Exception
    {
        final String topic = topic(2);
        putOrders(topic, 2, 0, 1000);
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each -> { }).start())
        {
            source.awaitRows(1000);
        }
        assertThat(committed(topic, 0) + committed(topic, 1)).isEqualTo(1000);
        putOrders(topic, 2, 1000, 500);
        try (RunningSource source = source(topic, receiver, each -> { }).start())
        {
            source.awaitRows(1500);
        }
        assertThat(receiver.column(0)).containsExactlyInAnyOrderElementsOf(ids(0, 1499));
    }

    @Test
    void shouldReadAssignedPartitionsOnly() throws Exception
    {
        final String topic = topic(4);
        putOrders(topic, 4, 0, 400);
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each ->
        {
            each.setPartitions("0, 2-3");
            each.setThreads(2);
        }).start())
        {
            source.awaitRows(300);
            assertThat(receiver.column(0)).allMatch(id -> (Long)id % 4 != 1);
        }
        assertThat(committed(topic, 3)).isEqualTo(100);
        assertThat(committed(topic, 1)).isEqualTo(-1);
    }

    @Test
    void shouldFillColumnsWithTimeKeyAndHeaders() throws Exception
    {
        final String topic = topic(1);
        final ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, 0, 1_700_000_000_123L, bytes("c7"), bytes("{\"id\":1}"));
        record.headers().add("source", bytes("web"));
        producer.send(record).get();
        producer.send(new ProducerRecord<>(topic, 0, 5L, null, bytes("{\"id\":2}"))).get();
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(FULL, topic, receiver, each ->
        {
            each.setTimeColumn("at");
            each.setKeyColumn("customer");
            each.setHeaderColumns("source=origin");
        }).start())
        {
            source.awaitRows(2);
            assertThat(receiver.rows.get(0)).containsExactly(1L, 1_700_000_000_123_000_000L, "c7", "web");
            assertThat(receiver.rows.get(1)).containsExactly(2L, 5_000_000L, null, null);
        }
    }

    @Test
    void shouldStartAtATime() throws Exception
    {
        final String topic = topic(1);
        for (long id = 1; id <= 5; id++)
        {
            producer.send(new ProducerRecord<>(topic, 0, 1_700_000_000_000L + 1000 * id, null,
                bytes("{\"id\":" + id + ",\"shop\":\"S\"}"))).get();
        }
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each -> each.setStart("2023-11-14T22:13:23Z")).start())
        {
            source.awaitRows(3);
            assertThat(receiver.column(0)).containsExactly(3L, 4L, 5L);
        }
    }

    @Test
    void shouldKeepThePositionAtTheEndWhenItIsKilledBeforeTheFirstRecord() throws Exception
    {
        final String topic = topic(1);
        putOrders(topic, 1, 1, 10);
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each -> each.setStart("latest")).start())
        {
            source.await("the position", () -> ((Map<?, ?>)source.figures().get("partitions")).size() == 1);
        }
        putOrders(topic, 1, 11, 5);
        try (RunningSource source = source(topic, receiver, each -> each.setStart("latest")).start())
        {
            source.awaitRows(5);
        }
        assertThat(receiver.column(0)).isEqualTo(ids(11, 15));
    }

    @Test
    void shouldRejectMalformedRecordsAndWriteThemToTheirTopic() throws Exception
    {
        final String topic = topic(1);
        final String letters = topic(1);
        final List<String> values = Stream.of("{\"id\":1,\"shop\":\"S\"}", "{\"id\":", "{\"id\":\"x\",\"shop\":\"S\"}",
            "{\"id\":3}", "{\"id\":4,\"shop\":\"" + "x".repeat(2000) + "\"}", "{\"id\":5,\"shop\":\"S\"}").toList();
        for (final String value : values)
        {
            put(topic, 0, value);
        }
        producer.send(new ProducerRecord<>(topic, 0, null, null)).get();
        producer.send(new ProducerRecord<>(topic, 0, null,
            "{\"id\":7,\"shop\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1))).get();
        put(topic, 0, "{\"id\":8,\"shop\":\"S\"}");
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(topic, receiver, each ->
        {
            each.setMaxValueBytes(1000);
            each.setDeadLetterTopic(letters);
        }).start())
        {
            source.awaitRows(3);
            assertThat(receiver.column(0)).containsExactly(1L, 5L, 8L);
            assertThat(source.figures()).containsEntry("rejected", 6L).containsEntry("deadLetters", 6L);
            assertThat((List<?>)source.figures().get("lastRejected")).map(each -> ((Map<?, ?>)each).get("offset") +
                " " + ((Map<?, ?>)each).get("reason")).containsExactly("1 broken-json", "2 wrong-type",
                "3 missing-field", "4 value-too-long", "6 no-value", "7 invalid-bytes");
        }
        assertThat(committed(topic, 0)).isEqualTo(9);
        assertThat(TestTopic.read(broker, letters, 6)).map(letter -> header(letter, "offset") + " " +
            header(letter, "reason")).containsExactly("1 broken-json", "2 wrong-type", "3 missing-field",
            "4 value-too-long", "6 no-value", "7 invalid-bytes");
    }

    private static String header(final ConsumerRecord<?, ?> letter, final String name)
    {
        return new String(letter.headers().lastHeader("millrace." + name).value(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldSendEachRowOnceToAStageThatStoresNumbersWhenItIsKilled() throws Exception
    {
        final String topic = topic(2);
        putOrders(topic, 2, 0, 3000);
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        for (final int kill : new int[] {7, 900, 2500})
        {
            receiver.killAfter = kill;
            // The next source must not wait for the membership of the one that was killed.
            source(topic, receiver, each -> each.setPartitions("0-1")).start().join();
            assertThat(receiver.size()).isEqualTo(kill);
        }
        receiver.killAfter = Integer.MAX_VALUE;
        putOrders(topic, 2, 3000, 1000);
        try (RunningSource source = source(topic, receiver, each -> each.setPartitions("0-1")).start())
        {
            source.awaitRows(4000);
        }
        assertThat(receiver.column(0)).containsExactlyInAnyOrderElementsOf(ids(0, 3999));
        assertThat(receiver.repeated).isZero();
        assertThat(committed(topic, 0)).isEqualTo(2000);
    }

    /** The bytes are written out by hand, as SOURCE.md describes them. */
    @Test
    void shouldReadTheWireFormat() throws Exception
    {
        final EventType type = EventType.tuple("All", new EventProperty("id", CqlType.BIGINT),
            new EventProperty("small", CqlType.INT), new EventProperty("price", CqlType.DOUBLE),
            new EventProperty("ratio", CqlType.FLOAT), new EventProperty("flag", CqlType.BOOLEAN),
            new EventProperty("at", CqlType.TIMESTAMP), new EventProperty("name", CqlType.CHAR));
        final String topic = topic(1);
        final String full = "0700000000000000 FEFFFFFF 0000000000003F40 0000803F 01 E803000000000000 0300 41C3A9";
        putHex(topic, "01 00 " + full);
        // The bitmap: price and name are null, whatever follows.
        putHex(topic, "01 01 44 " + full);
        putHex(topic, "01 00 0100000000000000 00000000 0000000000000000 00000000 00 0000000000000000 0000");
        for (final String wrong : List.of("", "02 00 " + full, "01 02 " + full, "01 00 " + full + " 00",
            "01 00 " + full.substring(0, full.length() - 2), "01 00 0700", "01",
            "01 00 " + full.replace("803F 01", "803F 02"), "01 00 " + full.replace("41C3A9", "41C3C3")))
        {
            putHex(topic, wrong);
        }
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(type, topic, receiver, each -> each.setFormat("wire")).start())
        {
            source.await("all records", () -> source.figures().get("rejected").equals(9L));
            source.awaitRows(3);
            assertThat(receiver.rows.get(0)).containsExactly(7L, -2, 31.0, 1.0f, true, 1000L, "A\u00e9");
            assertThat(receiver.rows.get(1)).containsExactly(7L, -2, null, 1.0f, true, 1000L, null);
            assertThat(receiver.rows.get(2)).containsExactly(1L, 0, 0.0, 0.0f, false, 0L, null);
            assertThat(source.rejections()).extracting(text -> text.substring(0, text.indexOf(' ')))
                .containsExactly("malformed-value", "malformed-value", "malformed-value", "malformed-value",
                    "malformed-value", "malformed-value", "malformed-value", "wrong-type", "invalid-bytes");
            assertThat(source.rejections().get(1)).contains("KAF-0124", "version 1", "offset=4");
            assertThat(source.figures().get("lastRejected").toString()).contains("offset=11", "column=name");
        }
    }

    private static void putHex(final String topic, final String hex) throws Exception
    {
        producer.send(new ProducerRecord<>(topic, 0, null, HexFormat.of().parseHex(hex.replace(" ", "")))).get();
    }

    @Test
    void shouldRefuseColumnsThatTheWireFormatDoesNotContain() throws Exception
    {
        final EventType type = EventType.tuple("Decimal", new EventProperty("amount", CqlType.BIGDECIMAL));
        assertThatThrownBy(() -> source(type, "topic", new Receiver(), each -> each.setFormat("wire")))
            .hasMessageContaining("KAF-0101").hasMessageContaining("amount").hasMessageContaining("bigint, boolean");
    }
}
