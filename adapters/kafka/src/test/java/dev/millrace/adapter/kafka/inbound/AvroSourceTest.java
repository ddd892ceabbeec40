package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestRegistry;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values that Avro's own writer has encoded, with the schema of a file and with those of a registry. */
@Tag("slow")
@Timeout(180)
class AvroSourceTest
{
    private static final EventType ORDER = EventType.tuple("Order", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("shop", CqlType.CHAR));
    static final EventType ALL = EventType.tuple("All", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("ratio", CqlType.FLOAT),
        new EventProperty("small", CqlType.INT), new EventProperty("flag", CqlType.BOOLEAN),
        new EventProperty("at", CqlType.TIMESTAMP), new EventProperty("name", CqlType.CHAR),
        new EventProperty("side", CqlType.CHAR), new EventProperty("amount", CqlType.BIGDECIMAL),
        new EventProperty("raw", CqlType.BYTE), new EventProperty("digest", CqlType.BYTE));
    /** In another order than the columns, with fields that no column reads, and int and float that are promoted. */
    static final String ALL_SCHEMA = """
        {"type":"record","name":"All","fields":[
          {"name":"more","type":{"type":"record","name":"More","fields":[
            {"name":"tags","type":{"type":"array","items":"string"}},
            {"name":"next","type":["null","More"]}]}},
          {"name":"name","type":["null","string"]},
          {"name":"side","type":{"type":"enum","name":"Side","symbols":["BUY","SELL"]}},
          {"name":"counts","type":{"type":"map","values":"long"}},
          {"name":"id","type":"int"},
          {"name":"price","type":["double","null","float"]},
          {"name":"ratio","type":"float"},
          {"name":"small","type":"int"},
          {"name":"flag","type":"boolean"},
          {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
          {"name":"amount","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
          {"name":"raw","type":"bytes"},
          {"name":"digest","type":{"type":"fixed","name":"Digest","size":2}}]}""";
    private static final String ORDER_SCHEMA = """
        {"type":"record","name":"Order","fields":[{"name":"id","type":"long"},{"name":"shop","type":"string"}]}""";
    private static final String EARLIER = """
        {"type":"record","name":"Order","fields":[{"name":"id","type":"long"}]}""";

    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static Producer<byte[], byte[]> producer;
    private static int topics;

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory.resolve("broker"), Map.of());
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers()), new ByteArraySerializer(),
            new ByteArraySerializer());
    }

    @AfterAll
    static void stopBroker()
    {
        producer.close();
        broker.close();
    }

    private static String topic() throws Exception
    {
        final String name = "avro-" + ++topics;
        broker.createTopic(name, 1, Map.of());
        return name;
    }

    private static void put(final String topic, final byte[]... values) throws Exception
    {
        for (final byte[] value : values)
        {
            producer.send(new ProducerRecord<>(topic, 0, null, value)).get();
        }
    }

    static byte[] encode(final String schema, final Consumer<GenericRecord> values) throws IOException
    {
        final Schema parsed = new Schema.Parser().parse(schema);
        final GenericRecord record = new GenericData.Record(parsed);
        values.accept(record);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(parsed).write(record, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }

    private static byte[] order(final int schemaId, final long id)
    {
        try
        {
            return withId(schemaId, encode(ORDER_SCHEMA, record ->
            {
                record.put("id", id);
                record.put("shop", "S" + id);
            }));
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] withId(final int id, final byte[] value)
    {
        return ByteBuffer.allocate(5 + value.length).put((byte)0).putInt(id).put(value).array();
    }

    private static RunningSource source(final EventType type, final String topic, final Receiver receiver,
        final Consumer<KafkaSource> properties)
    {
        return new RunningSource(broker.servers(), type, receiver, source ->
        {
            source.setTopics(topic);
            source.setFormat("avro");
            properties.accept(source);
        });
    }

    static void fill(final GenericRecord record, final Object name, final Object price)
    {
        final GenericRecord inner = new GenericData.Record(record.getSchema().getField("more").schema());
        inner.put("tags", List.of());
        final GenericRecord more = new GenericData.Record(inner.getSchema());
        more.put("tags", List.of("a", "b"));
        more.put("next", inner);
        record.put("more", more);
        record.put("name", name);
        record.put("side", new GenericData.EnumSymbol(record.getSchema().getField("side").schema(), "SELL"));
        record.put("counts", Map.of("x", 1L));
        record.put("id", 7);
        record.put("price", price);
        record.put("ratio", 0.5f);
        record.put("small", -3);
        record.put("flag", true);
        record.put("at", 1_700_000_000_123L);
        record.put("amount", ByteBuffer.wrap(new BigDecimal("-12.34").unscaledValue().toByteArray()));
        record.put("raw", ByteBuffer.wrap(new byte[]{1, 2, 3}));
        record.put("digest", new GenericData.Fixed(record.getSchema().getField("digest").schema(), new byte[]{9, 8}));
    }

    @Test
    void shouldReadAllTypesWithTheSchemaOfAFile() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("all.avsc"), ALL_SCHEMA);
        final String topic = topic();
        put(topic, encode(ALL_SCHEMA, record -> fill(record, "M\u00fcller", 1.5)),
            encode(ALL_SCHEMA, record -> fill(record, null, null)),
            encode(ALL_SCHEMA, record -> fill(record, "", 0.25f)));
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(ALL, topic, receiver, each -> each.setSchemaFile(file.toString())).start())
        {
            source.awaitRows(3);
            assertThat(receiver.rows.get(0).subList(0, 9)).containsExactly(7L, 1.5, 0.5f, -3, true,
                1_700_000_000_123_000_000L, "M\u00fcller", "SELL", new BigDecimal("-12.34"));
            assertThat((byte[])receiver.rows.get(0).get(9)).containsExactly(1, 2, 3);
            assertThat((byte[])receiver.rows.get(0).get(10)).containsExactly(9, 8);
            assertThat(receiver.column(1)).containsExactly(1.5, null, 0.25);
            assertThat(receiver.rows.get(1).get(6)).isNull();
        }
    }

    @Test
    void shouldRejectValuesThatAreNotOfTheirSchema() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("order.avsc"), ORDER_SCHEMA);
        final String topic = topic();
        // By hand: id 7 is the zigzag number 0E, the length 2 is 04.
        final byte[] right = HexFormat.of().parseHex("0E045337");
        put(topic, right, Arrays.copyOf(right, 3), Arrays.copyOf(right, 5), new byte[0],
            HexFormat.of().parseHex("0EFFFFFFFF0F53"), HexFormat.of().parseHex("FFFFFFFFFFFFFFFFFFFFFF"),
            HexFormat.of().parseHex("0E04C3C3"), right);
        final Receiver receiver = new Receiver();
        try (RunningSource source = source(ORDER, topic, receiver, each ->
        {
            each.setSchemaFile(file.toString());
            // The order of columns is that of the fields for other formats only.
            each.setColumns("shop, -, id");
        }).start())
        {
            source.awaitRows(2);
            assertThat(receiver.rows).containsExactly(List.of(7L, "S7"), List.of(7L, "S7"));
            assertThat(source.rejections()).extracting(text -> text.substring(0, text.indexOf(' '))).containsExactly(
                "malformed-value", "malformed-value", "malformed-value", "malformed-value", "malformed-value",
                "invalid-bytes");
        }
    }

    @Test
    void shouldResolveSchemasByTheirIdsInARegistry() throws Exception
    {
        final String later = """
            {"type":"record","name":"Order","fields":[{"name":"shop","type":["null","string"]},
            {"name":"remark","type":"string"},{"name":"id","type":"int"}]}""";
        final String unsuitable = ORDER_SCHEMA.replace("\"long\"", "\"string\"");
        final String topic = topic();
        try (TestRegistry registry = new TestRegistry().with(1, ORDER_SCHEMA).with(2, later).with(3, EARLIER)
            .with(4, unsuitable).with(5, "\"string\""))
        {
            registry.answers.put(6, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";\"}");
            put(topic, order(1, 1), withId(2, encode(later, record ->
            {
                record.put("shop", null);
                record.put("remark", "none");
                record.put("id", 2);
            })), withId(3, encode(EARLIER, record -> record.put("id", 3L))), order(99, 4), order(99, 5), order(4, 6),
                order(5, 7), order(6, 8), new byte[]{1, 0, 0, 0, 1, 2}, new byte[]{0, 0}, order(1, 9));
            final Receiver receiver = new Receiver();
            try (RunningSource source = source(ORDER, topic, receiver, each ->
            {
                each.setSchemaRegistry(registry.url() + '/');
                each.setMissing("null");
            }).start())
            {
                source.awaitRows(4);
                assertThat(receiver.rows).containsExactly(List.of(1L, "S1"), Arrays.asList(2L, null),
                    Arrays.asList(3L, null), List.of(9L, "S9"));
                assertThat(source.rejections()).extracting(text -> text.substring(0, text.indexOf(' ')))
                    .containsExactly("wrong-schema", "wrong-schema", "wrong-schema", "wrong-schema", "wrong-schema",
                        "malformed-value", "malformed-value");
                assertThat(source.rejections().get(0)).contains("KAF-0125", "offset=3",
                    "the registry does not contain the schema, id=99");
                assertThat(source.rejections().get(2)).contains("column=id type=bigint");
                assertThat(source.figures().get("lastRejected").toString()).contains("id=99", "PROTOBUF");
                assertThat(registry.requests).containsExactly("/schemas/ids/1", "/schemas/ids/2", "/schemas/ids/3",
                    "/schemas/ids/99", "/schemas/ids/4", "/schemas/ids/5", "/schemas/ids/6");
            }
        }
    }

    @Test
    void shouldRejectASchemaWithoutAColumnUnlessMissingFieldsAreNull() throws Exception
    {
        final String topic = topic();
        try (TestRegistry registry = new TestRegistry().with(1, ORDER_SCHEMA).with(3, EARLIER))
        {
            put(topic, withId(3, encode(EARLIER, record -> record.put("id", 3L))), order(1, 1));
            final Receiver receiver = new Receiver();
            try (RunningSource source =
                source(ORDER, topic, receiver, each -> each.setSchemaRegistry(registry.url())).start())
            {
                source.awaitRows(1);
                assertThat(source.rejections()).singleElement().asString().contains("wrong-schema", "column=shop");
            }
        }
        final Path file = Files.writeString(directory.resolve("earlier.avsc"), EARLIER);
        assertThatThrownBy(() -> source(ORDER, topic, new Receiver(), each -> each.setSchemaFile(file.toString())))
            .hasMessageContaining("KAF-0101").hasMessageContaining("schemaFile").hasMessageContaining("column=shop");
    }

    @Test
    void shouldWaitForARegistryThatDoesNotRespondWithoutLosingARow() throws Exception
    {
        final String topic = topic();
        try (TestRegistry registry = new TestRegistry().with(1, ORDER_SCHEMA))
        {
            registry.isUnavailable = true;
            put(topic, order(1, 1), order(1, 2), order(1, 3));
            final Receiver receiver = new Receiver();
            try (RunningSource source =
                source(ORDER, topic, receiver, each -> each.setSchemaRegistry(registry.url())).start())
            {
                source.await("the condition", () -> source.stage.raised.containsKey("KAF-0119"));
                assertThat(source.stage.raised.get("KAF-0119")).contains(registry.url(), "status=503");
                assertThat(receiver.size()).isZero();
                registry.isUnavailable = false;
                source.awaitRows(3);
                source.await("the end of the condition", () -> !source.stage.raised.containsKey("KAF-0119"));
                assertThat(receiver.column(0)).containsExactly(1L, 2L, 3L);
                assertThat(source.rejections()).isEmpty();
            }
        }
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        assertThatThrownBy(() -> source(ORDER, "topic", new Receiver(), each -> { })).hasMessageContaining("KAF-0101")
            .hasMessageContaining("either schemaFile or schemaRegistry");
        assertThatThrownBy(() -> source(ORDER, "topic", new Receiver(), each ->
        {
            each.setSchemaFile("a.avsc");
            each.setSchemaRegistry("http://127.0.0.1:1");
        })).hasMessageContaining("either schemaFile or schemaRegistry");
        assertThatThrownBy(() -> source(ORDER, "topic", new Receiver(), each -> each.setSchemaRegistry("registry")))
            .hasMessageContaining("http://registry:8081");
        assertThatThrownBy(() -> source(ORDER, "topic", new Receiver(), each -> each.setSchemaFile("/no/such.avsc")))
            .hasMessageContaining("KAF-0101").hasMessageContaining("/no/such.avsc");
        assertThatThrownBy(() -> source(ORDER, "topic", new Receiver(), each ->
        {
            each.setFormat("json");
            each.setSchemaFile("a.avsc");
        })).hasMessageContaining("set format to avro");
    }
}
