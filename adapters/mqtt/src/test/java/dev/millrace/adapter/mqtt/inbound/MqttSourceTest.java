package dev.millrace.adapter.mqtt.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.mqtt.Broker;
import dev.millrace.adapter.mqtt.inbound.RunningSource.Receiver;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of a real broker become rows. */
@Tag("slow")
@Timeout(90)
class MqttSourceTest
{
    private static final EventType READING = EventType.tuple("Reading", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("topic", CqlType.CHAR));

    @TempDir
    private static Path data;
    private static Broker broker;
    private static int topics;

    @TempDir
    private Path directory;
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
        topic = "t" + topics++;
    }

    private RunningSource source(final Receiver receiver, final Consumer<MqttSource> properties)
    {
        return new RunningSource(broker, READING, receiver, source ->
        {
            source.setTopics(topic + "/#");
            source.setTopicColumn("topic");
            source.setClientId("c-" + topic);
            properties.accept(source);
        });
    }

    private static List<String> texts(final int from, final int to)
    {
        return IntStream.rangeClosed(from, to).mapToObj(id -> "{\"id\":" + id + "}").toList();
    }

    private static List<Object> ids(final int from, final int to)
    {
        return LongStream.rangeClosed(from, to).mapToObj(id -> (Object)id).toList();
    }

    @ParameterizedTest
    @CsvSource({"3.1.1, 0", "3.1.1, 1", "3.1.1, 2", "5, 0", "5, 1", "5, 2"})
    void shouldReceiveMessagesWithEachQosAndTheirTopics(final String version, final int qos) throws Exception
    {
        try (RunningSource running = source(new Receiver(), source ->
        {
            source.setVersion(version);
            source.setQos(qos);
        }).start().awaitConnection())
        {
            broker.publish(topic + "/a", qos, texts(1, 20));
            broker.publish(topic + "/b", qos, texts(21, 21));
            running.awaitRows(21);
            // The broker may change the order.
            assertThat(running.receiver.column(0)).containsExactlyInAnyOrderElementsOf(ids(1, 21));
            assertThat(running.receiver.rows()).contains(List.of(1L, topic + "/a"), List.of(21L, topic + "/b"));
            running.await("all to be acknowledged", () -> running.figure("acknowledged") == 21);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.1", "5"})
    void shouldReceiveWhatArrivedWhileItWasSuspended(final String version) throws Exception
    {
        try (RunningSource running = source(new Receiver(), source -> source.setVersion(version)).start()
            .awaitConnection())
        {
            running.source.suspend();
            running.join();
            broker.publish(topic, 1, texts(1, 30));
            running.source.beforeResume();
            running.start();
            running.awaitRows(30);
            assertThat(running.receiver.column(0)).isEqualTo(ids(1, 30));
        }
    }

    @Test
    void shouldShareTheMessagesOfASharedSubscription() throws Exception
    {
        try (RunningSource one = source(new Receiver(), source -> source.setTopics("$share/g/" + topic + "/#")).start()
            .awaitConnection(); RunningSource other = source(new Receiver(), source ->
            {
                source.setTopics("$share/g/" + topic + "/#");
                source.setClientId("o-" + topic);
            }).start().awaitConnection())
        {
            broker.publish(topic + "/x", 1, texts(1, 100));
            one.await("all rows", () -> one.receiver.size() + other.receiver.size() == 100);
            assertThat(one.receiver.column(0)).doesNotContainAnyElementsOf(other.receiver.column(0)).isNotEmpty();
            assertThat(other.receiver.size()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"3.1.1, 1", "5, 1", "5, 2"})
    void shouldLoseNoRowWhenItIsKilledBetweenStoringAndAcknowledging(final String version, final int qos)
        throws Exception
    {
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        final Consumer<MqttSource> properties = source ->
        {
            source.setVersion(version);
            source.setQos(qos);
        };
        receiver.killAfter = 150;
        RunningSource killed = source(receiver, properties).start().awaitConnection();
        broker.publish(topic + "/x", qos, texts(1, 500));
        killed.join();
        receiver.killAfter = 400;
        killed = source(receiver, properties).start().join();
        receiver.killAfter = Integer.MAX_VALUE;
        try (RunningSource running = source(receiver, properties).start())
        {
            running.await("all messages", () -> receiver.column(0).stream().distinct().count() == 500);
            running.await("all to be acknowledged", () -> broker.waiting("c-" + topic + ".") == 0);
            assertThat(receiver.column(0)).contains(ids(1, 500).toArray());
            // Only messages without acknowledgement arrive again.
            assertThat(receiver.size()).isLessThan(500 + 2 * 256 + 1);
        }
    }

    @Test
    void shouldAcknowledgeMessagesOnlyWhenTheirRowsAreStored() throws Exception
    {
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        receiver.storeAtMost = 10;
        try (RunningSource running = source(receiver, source -> source.setStoredMillis(200)).start().awaitConnection())
        {
            broker.publish(topic + "/x", 1, texts(1, 20));
            running.await("the rows that are not stored", () -> running.stage.raised.containsKey("MQT-0109"));
            // The condition may be older than the last one of the stored rows.
            running.await("the stored rows", () -> running.figure("acknowledged") >= 10);
            assertThat(running.figure("acknowledged")).isEqualTo(10);
            synchronized (receiver)
            {
                receiver.storeAtMost = Integer.MAX_VALUE;
            }
            running.awaitRows(20);
            running.await("all to be acknowledged", () -> broker.waiting("c-" + topic + ".") == 0);
            running.await("the end of the condition", running.stage.raised::isEmpty);
            assertThat(receiver.column(0)).containsExactlyInAnyOrderElementsOf(ids(1, 20));
        }
    }

    @Test
    void shouldBeDegradedWhileTheBrokerIsAwayAndLoseNoMessage() throws Exception
    {
        try (Broker own = new Broker(directory); RunningSource running = new RunningSource(own, READING,
            new Receiver(), source ->
            {
                source.setTopics(topic);
                source.setTopicColumn("topic");
            }).start().awaitConnection())
        {
            for (int outage = 0; outage < 2; outage++)
            {
                own.publish(topic, 1, texts(outage * 100 + 1, outage * 100 + 100));
                running.await("some rows", () -> running.receiver.size() > 0);
                own.stop();
                running.await("the condition", () -> running.stage.raised.containsKey("MQT-0103"));
                own.start();
                running.await("the end of the condition", running.stage.raised::isEmpty);
            }
            running.await("all rows", () -> running.receiver.column(0).stream().distinct().count() == 200);
        }
    }

    @Test
    void shouldRejectBrokenMessagesAndPublishThemToTheDeadLetterTopic() throws Exception
    {
        try (Broker.Subscriber dead = broker.subscribe("dead/" + topic); RunningSource running = source(new Receiver(),
            source -> source.setDeadLetterTopic("dead/" + topic)).start().awaitConnection())
        {
            broker.publish(topic, 1, List.of("{\"id\":", "", "{\"id\":\"x\"}", "{}"));
            broker.publish(topic, new byte[] {'{', '"', 'i', 'd', '"', ':', '"', (byte)0xE4, '"', '}'});
            broker.publish(topic, "x".repeat(2 << 20).getBytes(StandardCharsets.UTF_8));
            broker.publish(topic, 1, texts(1, 1));
            running.awaitRows(1);
            running.await("the rejections", () -> running.figure("rejected") == 6);
            assertThat(running.rejections().stream().map(each -> each.replaceAll(" .*", "")).toList()).containsExactly(
                "broken-json", "empty-message", "wrong-type", "missing-field", "invalid-bytes", "message-too-long");
            assertThat(new String(dead.next(60_000).orElseThrow().getPayloadAsBytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":");
            running.await("all to be acknowledged", () -> running.figure("acknowledged") == 7);
        }
    }

    @Test
    void shouldReceiveSeveralRowsOfAMessageOfCsv() throws Exception
    {
        try (RunningSource running = source(new Receiver(), source ->
        {
            source.setFormat("csv");
            source.setCharset("ISO-8859-1");
        }).start().awaitConnection())
        {
            broker.publish(topic, 1, List.of("1\n2\nx\n3"));
            running.awaitRows(3);
            assertThat(running.receiver.column(0)).isEqualTo(ids(1, 3));
        }
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        refuses("url", source -> source.setUrl("http://127.0.0.1"));
        refuses("url", source -> source.setUrl(null));
        refuses("version", source -> source.setVersion("4"));
        refuses("topics", source -> source.setTopics("a/#/b"));
        refuses("qos", source -> source.setQos(3));
        refuses("topicColumn", source -> source.setTopicColumn("id"));
        refuses("columns", source -> source.setColumns("unknown"));
        refuses("deadLetterTopic", source -> source.setDeadLetterTopic("a/+"));
        refuses("willTopic", source -> source.setWillTopic("a/#"));
        refuses("passwordSecret", source -> source.setPasswordSecret("unknown"));
    }

    private void refuses(final String name, final Consumer<MqttSource> property)
    {
        assertThatThrownBy(() -> source(new Receiver(), property)).as(name)
            .hasMessageStartingWith("MQT-0101").hasMessageContaining("stage=app/mqtt name=" + name);
    }
}
