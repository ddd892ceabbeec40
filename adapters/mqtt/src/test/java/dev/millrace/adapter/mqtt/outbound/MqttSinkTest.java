package dev.millrace.adapter.mqtt.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import dev.millrace.adapter.mqtt.Broker;
import dev.millrace.adapter.mqtt.TestStage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows become messages of a real broker. */
@Tag("slow")
@Timeout(90)
class MqttSinkTest
{
    @TempDir
    private static Path data;
    private static Broker broker;
    private static int topics;

    @TempDir
    private Path directory;
    private final TestStage stage = new TestStage(TestStage.TICK);
    private String topic;

    @BeforeAll
    static void startBroker() throws Exception
    {
        broker = new Broker(data);
    }

    @AfterAll
    static void stopBroker() throws Exception
    {
        broker.close();
    }

    @BeforeEach
    void chooseTopic()
    {
        topic = "s" + topics++;
    }

    private MqttSink sink(final Broker to, final Consumer<MqttSink> properties)
    {
        final MqttSink sink = new MqttSink(name -> null);
        sink.setStageContext(stage);
        sink.setUrl(to.url());
        sink.setTopic(topic + "/{symbol}/{id}");
        sink.setClientId("c-" + topic);
        sink.setMaxRetryMillis(20);
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    private static String text(final Mqtt5Publish message)
    {
        return new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"3.1.1, 0", "3.1.1, 1", "3.1.1, 2", "5, 0", "5, 1", "5, 2"})
    void shouldPublishRowsToTheTopicsOfTheirProperties(final String version, final int qos) throws Exception
    {
        try (Broker.Subscriber subscriber = broker.subscribe(topic + "/#"))
        {
            final MqttSink sink = sink(broker, each ->
            {
                each.setVersion(version);
                each.setQos(qos);
            });
            sink.onBatch(TestStage.ticks(1, 2));
            sink.destroy();
            // Brokers keep the order of messages within a topic only.
            final Map<String, Mqtt5Publish> byTopic = new HashMap<>();
            for (final Mqtt5Publish each : subscriber.take(2))
            {
                assertThat(byTopic.put(each.getTopic().toString(), each)).isNull();
            }
            assertThat(byTopic).containsOnlyKeys(topic + "/S/1", topic + "/S/2");
            final Mqtt5Publish first = byTopic.get(topic + "/S/1");
            assertThat(text(first)).isEqualTo("{\"id\":1,\"symbol\":\"S\",\"price\":0.25}");
            assertThat(first.getQos()).isEqualTo(MqttQos.fromCode(qos));
            assertThat(sink.statistics()).containsEntry("rows", 2L);
        }
    }

    @ParameterizedTest
    @CsvSource({"3.1.1, 1", "3.1.1, 2", "5, 1", "5, 2"})
    void shouldKeepTheOrderOfRowsOfATopic(final String version, final int qos) throws Exception
    {
        try (Broker.Subscriber subscriber = broker.subscribe(topic))
        {
            final MqttSink sink = sink(broker, each ->
            {
                each.setVersion(version);
                each.setQos(qos);
                each.setTopic(topic);
                each.setFormat("csv");
                each.setColumns("id");
            });
            sink.onBatch(TestStage.ticks(1, 200));
            sink.onBatch(TestStage.ticks(201, 100));
            sink.destroy();
            assertThat(subscriber.take(300)).extracting(MqttSinkTest::text)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 300).mapToObj(String::valueOf).toList());
        }
    }

    @Test
    void shouldPublishRetainedMessagesOfCsv() throws Exception
    {
        final MqttSink sink = sink(broker, each ->
        {
            each.setTopic(topic);
            each.setRetained(true);
            each.setFormat("csv");
            each.setColumns("price,id");
        });
        sink.onBatch(TestStage.ticks(1, 3));
        sink.destroy();
        try (Broker.Subscriber late = broker.subscribe(topic))
        {
            final Mqtt5Publish last = late.next(60_000).orElseThrow();
            assertThat(text(last)).isEqualTo("0.75,3");
            assertThat(last.isRetain()).isTrue();
        }
    }

    @Test
    void shouldRejectRowsWithoutATopicAndPublishTheOthers() throws Exception
    {
        try (Broker.Subscriber subscriber = broker.subscribe(topic + "/#"))
        {
            final MqttSink sink = sink(broker, each -> { });
            final EventBatch batch = TestStage.ticks(1, 4);
            batch.texts(1).set(0, "a/b");
            batch.setNull(1, 1);
            batch.texts(1).set(2, "#");
            assertThatThrownBy(() -> sink.onBatch(batch)).isInstanceOfSatisfying(BatchRejectedException.class,
                e -> assertThat(e.rejected()).hasSize(3)).hasMessageStartingWith("MQT-0111");
            sink.destroy();
            assertThat(subscriber.next(60_000).orElseThrow().getTopic()).hasToString(topic + "/S/4");
        }
    }

    @Test
    void shouldWaitWhileTheBrokerIsAwayAndPublishEveryRow() throws Exception
    {
        try (Broker own = new Broker(directory))
        {
            final MqttSink sink = sink(own, each -> each.setAnswerMillis(2_000));
            own.stop();
            final CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> publish(sink, 1));
            Broker.await("the condition", () -> stage.raised.containsKey("MQT-0103"));
            assertThat(blocked).isNotDone();
            own.start();
            blocked.get(60, TimeUnit.SECONDS);
            Broker.await("the end of the condition", stage.raised::isEmpty);
            final Set<String> received = new TreeSet<>();
            try (Broker.Subscriber subscriber = own.subscribe(topic + "/#"))
            {
                publish(sink, 11);
                Optional<Mqtt5Publish> next = subscriber.next(60_000);
                while (next.isPresent() && received.size() < 10)
                {
                    received.add(next.get().getTopic().toString());
                    next = subscriber.next(received.size() < 10 ? 60_000 : 1);
                }
            }
            sink.destroy();
            assertThat(received).hasSize(10);
            assertThat(sink.statistics()).containsEntry("rows", 20L);
        }
    }

    @Test
    void shouldReportAnOutageAndItsEndWhileNoRowsArrive() throws Exception
    {
        try (Broker own = new Broker(directory))
        {
            final MqttSink sink = sink(own, each -> { });
            own.stop();
            Broker.await("the condition", () -> stage.raised.containsKey("MQT-0103"));
            own.start();
            Broker.await("the end of the condition", stage.raised::isEmpty);
            sink.destroy();
        }
    }

    @Test
    void shouldRejectTheRowsThatWaitWhenItEnds() throws Exception
    {
        try (Broker own = new Broker(directory))
        {
            final MqttSink sink = sink(own, each -> { });
            own.stop();
            final CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> publish(sink, 1));
            Broker.await("the condition", () -> stage.raised.containsKey("MQT-0103"));
            sink.destroy();
            assertThatThrownBy(() -> blocked.get(60, TimeUnit.SECONDS)).hasMessageContaining("MQT-0103");
        }
    }

    private static void publish(final MqttSink sink, final long first)
    {
        try
        {
            sink.onBatch(TestStage.ticks(first, 10));
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
