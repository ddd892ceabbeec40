package dev.millrace.adapter.jms.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.jms.Broker;
import dev.millrace.adapter.jms.TestStage;
import dev.millrace.adapter.jms.api.MessageConverterException;
import dev.millrace.adapter.jms.api.OutboundMessageConverter;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows become messages of a real broker. */
@Tag("slow")
@Timeout(90)
class JmsSinkTest
{
    @TempDir
    private static Path data;
    private static Broker broker;
    private static int queues;

    @TempDir
    private Path directory;
    private final TestStage stage = new TestStage(TestStage.TICK);
    private String queue;

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
    void chooseQueue()
    {
        queue = "q" + queues++;
    }

    private JmsSink sink(final Broker to, final Consumer<JmsSink> properties)
    {
        final JmsSink sink = new JmsSink(name -> null, name ->
        {
            try
            {
                return Class.forName(name);
            }
            catch (final ClassNotFoundException e)
            {
                return null;
            }
        });
        sink.setStageContext(stage);
        sink.setConnectionFactoryClass("org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory");
        sink.setBrokerUrl(to.url());
        sink.setDestinationName(queue);
        sink.setDestinationType("QUEUE");
        sink.setMaxRetryMillis(20);
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    @Test
    void shouldSendRowsAsTextsOfJson() throws Exception
    {
        final JmsSink sink = sink(broker, each -> { });
        sink.onBatch(TestStage.ticks(1, 2));
        sink.destroy();

        final List<Message> messages = broker.receive(queue, 2);
        assertThat(messages).hasSize(2);
        assertThat(((TextMessage)messages.get(1)).getText()).isEqualTo("{\"id\":2,\"symbol\":\"S\",\"price\":0.5}");
        assertThat(messages.get(0).getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
        assertThat(sink.statistics()).containsEntry("rows", 2L).containsEntry("commits", 1L);
    }

    @Test
    void shouldSendRowsAsBytesOfCsvWithTheSettingsOfMessages() throws Exception
    {
        final JmsSink sink = sink(broker, each ->
        {
            each.setMessageType("bytes");
            each.setFormat("csv");
            each.setHeader(true);
            each.setColumns("price,id");
            each.setDeliveryMode("nonpersistent");
            each.setPriority(7);
            each.setTimeToLiveMillis(60_000);
        });
        sink.onBatch(TestStage.ticks(1, 1));
        sink.destroy();

        final BytesMessage message = (BytesMessage)broker.receive(queue, 1).get(0);
        final byte[] bytes = new byte[(int)message.getBodyLength()];
        message.readBytes(bytes);
        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("price,id\n0.25,1");
        assertThat(message.getJMSPriority()).isEqualTo(7);
        assertThat(message.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(message.getJMSExpiration()).isPositive();
    }

    @Test
    void shouldSendRowsAsMapsWithoutEntriesForNulls() throws Exception
    {
        final JmsSink sink = sink(broker, each -> each.setMessageType("map"));
        final EventBatch batch = TestStage.ticks(1, 1);
        batch.setNull(1, 0);
        sink.onBatch(batch);
        sink.destroy();

        final MapMessage map = (MapMessage)broker.receive(queue, 1).get(0);
        assertThat(map.getLong("id")).isEqualTo(1);
        assertThat(map.getDouble("price")).isEqualTo(0.25);
        assertThat(map.itemExists("symbol")).isFalse();
    }

    @Test
    void shouldCallTheConverterOfTheApplicationAndRejectWhatItCannotConvert() throws Exception
    {
        final OutboundMessageConverter converter = (session, event) ->
        {
            final long id = (Long)((TupleEvent)event).get(0);
            if (id == 2)
            {
                throw new MessageConverterException("two");
            }
            return id == 3 ? List.of() :
                List.of(session.createTextMessage("a" + id), session.createTextMessage("b" + id));
        };
        final JmsSink sink = sink(broker, each -> each.setConverterBean(converter));

        assertThatThrownBy(() -> sink.onBatch(TestStage.ticks(1, 4))).isInstanceOfSatisfying(
            BatchRejectedException.class, e -> assertThat(e.rejected()).hasSize(1))
            .hasMessageStartingWith("JMS-0111").hasMessageContaining("two");
        sink.destroy();
        final List<String> texts = new ArrayList<>();
        for (final Message each : broker.receive(queue, 4))
        {
            texts.add(((TextMessage)each).getText());
        }
        assertThat(texts).containsExactly("a1", "b1", "a4", "b4");
    }

    @Test
    void shouldWaitWhileTheBrokerIsAwayAndSendEveryRow() throws Exception
    {
        try (Broker own = new Broker(directory))
        {
            final JmsSink sink = sink(own, each -> { });
            sink.onBatch(TestStage.ticks(1, 10));
            own.stop();
            final CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> send(sink, 11));
            await("the condition", () -> stage.raised.containsKey("JMS-0103"));
            assertThat(blocked).isNotDone();
            own.start();
            blocked.get(60, TimeUnit.SECONDS);
            await("the end of the condition", stage.raised::isEmpty);
            sink.destroy();
            assertThat(own.receive(queue, 20)).hasSize(20);
        }
    }

    @Test
    void shouldReportAnOutageAndItsEndWhileNoRowsArrive() throws Exception
    {
        try (Broker own = new Broker(directory))
        {
            final JmsSink sink = sink(own, each -> { });
            own.stop();
            await("the condition", () -> stage.raised.containsKey("JMS-0103"));
            own.start();
            await("the end of the condition", stage.raised::isEmpty);
            sink.destroy();
        }
    }

    @Test
    void shouldRejectTheRowsThatWaitWhenItEnds() throws Exception
    {
        try (Broker own = new Broker(directory))
        {
            final JmsSink sink = sink(own, each -> { });
            own.stop();
            final CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> send(sink, 1));
            await("the condition", () -> stage.raised.containsKey("JMS-0103"));
            sink.destroy();
            assertThatThrownBy(() -> blocked.get(60, TimeUnit.SECONDS)).hasMessageContaining("JMS-0103");
            assertThat(sink.statistics()).containsEntry("rejected", 10L);
        }
    }

    private static void send(final JmsSink sink, final long first)
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

    private void await(final String what, final java.util.function.BooleanSupplier condition)
        throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("%s: %s", what, stage.raised).isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
