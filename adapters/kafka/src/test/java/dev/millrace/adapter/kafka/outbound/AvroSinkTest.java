package dev.millrace.adapter.kafka.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestRegistry;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.TestTopic;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values that Avro's own reader decodes. */
@Tag("slow")
@Timeout(180)
class AvroSinkTest
{
    private static final String SCHEMA = """
        {"type":"record","name":"Tick","fields":[
          {"name":"source","type":"string","default":"millrace"},
          {"name":"symbol","type":"string"},
          {"name":"id","type":"long"},
          {"name":"price","type":["null","double"]}]}""";

    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static int topics;

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory.resolve("broker"), Map.of());
    }

    @AfterAll
    static void stopBroker()
    {
        broker.close();
    }

    private static KafkaSink sink(final String topic, final Consumer<KafkaSink> properties)
    {
        final KafkaSink sink = new KafkaSink(name -> null);
        sink.setStageContext(new TestStage(TestStage.TICK));
        sink.setServers(broker.servers());
        sink.setTopic(topic);
        sink.setFormat("avro");
        sink.setAnswerMillis(20_000);
        sink.setMaxRetryMillis(100);
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    private static String topic() throws Exception
    {
        final String name = "avro-out-" + ++topics;
        broker.createTopic(name, 1, Map.of());
        return name;
    }

    private static String decode(final byte[] value, final int from)
    {
        try
        {
            final Schema schema = new Schema.Parser().parse(SCHEMA);
            return new GenericDatumReader<GenericRecord>(schema).read(null,
                DecoderFactory.get().binaryDecoder(value, from, value.length - from, null)).toString();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(final String topic, final int count)
    {
        return TestTopic.read(broker, topic, count, new ByteArrayDeserializer());
    }

    private static final String[] TICKS = {
        "{\"source\": \"millrace\", \"symbol\": \"S\", \"id\": 1, \"price\": 0.25}",
        "{\"source\": \"millrace\", \"symbol\": \"S\", \"id\": 2, \"price\": null}"};

    @Test
    void shouldWriteTheSchemaOfAFileAndRefuseNullsThatItDoesNotPermit() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("tick.avsc"), SCHEMA);
        final String topic = topic();
        final KafkaSink sink = sink(topic, each -> each.setSchemaFile(file.toString()));
        final EventBatch batch = TestStage.ticks(1, 3);
        TestStage.set(batch, 2, 1, null);
        TestStage.set(batch, 1, 2, null);
        assertThatThrownBy(() -> sink.onBatch(batch)).isInstanceOf(BatchRejectedException.class)
            .hasMessageContaining("KAF-0115").hasMessageContaining("the schema does not permit null, column=symbol");
        assertThat(read(topic, 2)).map(record -> decode(record.value(), 0)).containsExactly(TICKS);
        assertThat(sink.statistics()).containsEntry("written", 2L).containsEntry("rejected", 1L);
        sink.onBatch(TestStage.ticks(1, 1));
        assertThat(read(topic, 3)).map(record -> decode(record.value(), 0)).last().isEqualTo(TICKS[0]);
        sink.destroy();
    }

    @Test
    void shouldWriteTheIdOfASchemaOfARegistry() throws Exception
    {
        final String topic = topic();
        try (TestRegistry registry = new TestRegistry().with(258, SCHEMA))
        {
            final KafkaSink sink = sink(topic, each ->
            {
                each.setSchemaRegistry(registry.url());
                each.setSchemaId(258);
            });
            sink.onBatch(TestStage.ticks(1, 1));
            final byte[] value = read(topic, 1).get(0).value();
            assertThat(ByteBuffer.wrap(value, 0, 5).array()).startsWith(0, 0, 0, 1, 2);
            assertThat(decode(value, 5)).isEqualTo(TICKS[0]);
            sink.destroy();
            assertThatThrownBy(() -> sink(topic, each ->
            {
                each.setSchemaRegistry(registry.url());
                each.setSchemaId(7);
            })).hasMessageContaining("KAF-0101").hasMessageContaining("the registry does not contain the schema, id=7");
            registry.isUnavailable = true;
            assertThatThrownBy(() -> sink(topic, each ->
            {
                each.setSchemaRegistry(registry.url());
                each.setSchemaId(258);
            })).hasMessageContaining("KAF-0119").hasMessageContaining("status=503");
        }
    }

    @Test
    void shouldRejectEventsThatDoNotFitTheSchema() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("other.avsc"), SCHEMA.replace("\"long\"", "\"int\""));
        final KafkaSink sink = sink(topic(), each -> each.setSchemaFile(file.toString()));
        assertThatThrownBy(() -> sink.onBatch(TestStage.ticks(1, 1))).isInstanceOf(EventRejectedException.class)
            .hasMessageContaining("KAF-0114").hasMessageContaining("column=id type=bigint");
        sink.destroy();
        assertThatThrownBy(() -> sink("topic", each -> each.setSchemaRegistry("http://127.0.0.1:1")))
            .hasMessageContaining("schemaId").hasMessageContaining("set it together with schemaRegistry");
        assertThatThrownBy(() -> sink("topic", each ->
        {
            each.setSchemaFile(file.toString());
            each.setTimeColumn("at");
        })).hasMessageContaining("timeColumn");
    }
}
