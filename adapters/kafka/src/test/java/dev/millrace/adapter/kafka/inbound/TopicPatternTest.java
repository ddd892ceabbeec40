package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics and partitions that are created or deleted while a source runs. */
@Tag("slow")
@Timeout(90)
class TopicPatternTest
{
    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static Producer<byte[], byte[]> producer;

    private final Receiver receiver = new Receiver();

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory, Map.of());
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers(), "metadata.max.age.ms", "100"),
            new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void stopBroker()
    {
        producer.close();
        broker.close();
    }

    private static void put(final String topic, final int partition, final long id) throws Exception
    {
        producer.send(new ProducerRecord<>(topic, partition, null,
            ("{\"id\":" + id + ",\"symbol\":\"S\",\"price\":1.5}").getBytes(StandardCharsets.UTF_8))).get();
    }

    /** Looks for new topics often. */
    private static Properties soon()
    {
        final Properties properties = new Properties();
        properties.setProperty("metadata.max.age.ms", "100");
        return properties;
    }

    private RunningSource source(final String pattern, final String start)
    {
        return new RunningSource(broker.servers(), TestStage.TICK, receiver, source ->
        {
            source.setTopicPattern(pattern);
            source.setGroup("group-" + pattern);
            source.setStart(start);
            source.setClientProperties(soon());
        });
    }

    private static Object partitions(final RunningSource source)
    {
        return ((Map<?, ?>)source.figures().get("partitions")).keySet();
    }

    @ParameterizedTest
    @ValueSource(strings = {"earliest", "latest"})
    void shouldReadATopicThatIsCreatedLaterFromItsFirstRecord(final String start) throws Exception
    {
        broker.createTopic(start + "-a", 1, Map.of());
        broker.createTopic("not-" + start + "-a", 1, Map.of());
        try (RunningSource source = source(start + "-.*", start).start())
        {
            source.await("the first topic", () -> partitions(source).toString().equals("[" + start + "-a-0]"));
            put(start + "-a", 0, 1);
            source.awaitRows(1);
            broker.createTopic(start + "-b", 2, Map.of());
            put(start + "-b", 0, 2);
            put(start + "-b", 1, 3);
            put("not-" + start + "-a", 0, 9);
            source.awaitRows(3);
            assertThat(receiver.column(0)).containsExactlyInAnyOrder(1L, 2L, 3L);
        }
    }

    @Test
    void shouldReadAPartitionThatIsAddedLaterFromItsFirstRecord() throws Exception
    {
        broker.createTopic("grows", 1, Map.of());
        put("grows", 0, 1);
        try (RunningSource source = new RunningSource(broker.servers(), TestStage.TICK, receiver, each ->
        {
            each.setTopics("grows");
            each.setStart("latest");
            each.setClientProperties(soon());
        }).start(); Admin admin = broker.admin())
        {
            source.await("the first partition", () -> partitions(source).toString().equals("[grows-0]"));
            admin.createPartitions(Map.of("grows", NewPartitions.increaseTo(2))).all().get();
            producer.partitionsFor("grows");
            put("grows", 1, 2);
            put("grows", 0, 3);
            source.awaitRows(2);
            assertThat(receiver.column(0)).containsExactlyInAnyOrder(2L, 3L);
        }
    }

    @Test
    void shouldContinueWithTheOtherTopicsWhenOneIsDeleted() throws Exception
    {
        broker.createTopic("gone-a", 1, Map.of());
        broker.createTopic("gone-b", 1, Map.of());
        put("gone-a", 0, 1);
        put("gone-b", 0, 2);
        try (RunningSource source = source("gone-.", "earliest").start(); Admin admin = broker.admin())
        {
            source.awaitRows(2);
            admin.deleteTopics(List.of("gone-a")).all().get();
            put("gone-b", 0, 3);
            source.awaitRows(3);
            source.await("the remaining topic", () -> partitions(source).toString().equals("[gone-b-0]"));
            put("gone-b", 0, 4);
            source.awaitRows(4);
            source.await("the end of the outage", () -> source.stage.raised.isEmpty());
            assertThat(receiver.column(0)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        }
    }

    @Test
    void shouldWaitForATopicOfThePattern() throws Exception
    {
        try (RunningSource source = source("none-yet-.*", "latest").start())
        {
            source.await("the membership", () -> (Long)source.figures().get("rebalances") > 0);
            broker.createTopic("none-yet-1", 1, Map.of());
            put("none-yet-1", 0, 1);
            source.awaitRows(1);
        }
    }
}
