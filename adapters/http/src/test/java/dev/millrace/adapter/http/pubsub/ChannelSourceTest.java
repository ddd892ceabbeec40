package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.inbound.Receiver;
import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.stage.EventRejectedException;
import java.net.ServerSocket;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources and remote sinks against a real server of channels. */
@Tag("slow")
@Timeout(180)
class ChannelSourceTest
{
    private final Receiver receiver = new Receiver(TestStage.TICK);
    private final TestStage stage = new TestStage(TestStage.TICK);

    private static List<Object> ids(final long first, final long last)
    {
        return LongStream.rangeClosed(first, last).boxed().map(Object.class::cast).toList();
    }

    private RunningChannelSource start(final ChannelServerPool pool, final Consumer<ChannelSource> properties)
        throws Exception
    {
        return new RunningChannelSource(stage, receiver, pool, properties);
    }

    private RunningChannelSource remote(final RunningChannels channels) throws Exception
    {
        final String url = channels.uri("http", "").toString();
        final RunningChannelSource running = start(channels.pool, source -> source.setServerUrl(url));
        channels.await("subscription", () -> running.figures().get("connected").equals(true));
        return running;
    }

    private ChannelSink remoteSink(final RunningChannels channels, final Consumer<ChannelSink> properties)
        throws Exception
    {
        final ChannelSink sink = new ChannelSink(RunningChannels.SECRETS, channels.pool);
        sink.setStageContext(stage);
        sink.setChannel("/ticks");
        sink.setServerUrl(channels.uri("http", "").toString());
        sink.setMaxRetryMillis(50);
        sink.setTimeoutMillis(5_000);
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    @Test
    void shouldReceiveRowsOfRemoteServerInOrder() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(); RunningChannelSource source = remote(channels))
        {
            channels.publish(200);
            channels.publish(256);
            channels.await("rows", () -> receiver.ids().size() == 456);
            assertThat(receiver.ids()).isEqualTo(ids(1, 456));
            assertThat(receiver.rows().get(0)).isEqualTo(List.of(1L, "S", 0.5));
            channels.await("counted rows", () -> source.figures().get("rows").equals(456L));
            assertThat(source.figures()).containsEntry("rejected", 0L).containsEntry("subscriptions", 1L);
            assertThat(stage.raised).isEmpty();
        }
    }

    @Test
    void shouldReceiveRowsOfLocalServer() throws Exception
    {
        try (RunningChannels channels = new RunningChannels();
            RunningChannelSource source = start(channels.pool, each -> each.setChannel("/**")))
        {
            channels.await("subscription", () -> source.figures().get("subscriptions").equals(1L));
            channels.publish(200);
            channels.await("rows", () -> receiver.ids().size() == 200);
            assertThat(receiver.ids()).isEqualTo(ids(1, 200));
        }
    }

    @Test
    void shouldLoseAndCountRowsOfLocalServerWhenQueueIsFull() throws Exception
    {
        receiver.gate = new CountDownLatch(1);
        try (RunningChannels channels = new RunningChannels();
            RunningChannelSource source = start(channels.pool, each -> each.setMaxQueueBytes(2_000)))
        {
            channels.await("subscription", () -> source.figures().get("subscriptions").equals(1L));
            channels.publish(256);
            channels.publish(256);
            channels.publish(256);
            receiver.gate.countDown();
            channels.await("rest", () -> receiver.ids().size() + (Long)source.figures().get("lost") == 768);
            assertThat((Long)source.figures().get("lost")).isPositive();
        }
    }

    @Test
    void shouldRejectMessagesThatAreNoEvents() throws Exception
    {
        try (RunningChannels channels = new RunningChannels();
            RunningChannelSource source = start(channels.pool, each -> each.setMaxMessageBytes(200)))
        {
            channels.await("subscription", () -> source.figures().get("subscriptions").equals(1L));
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            socket.send("{\"id\":\"x\",\"symbol\":\"S\",\"price\":1}");
            socket.send("{\"id\":1}");
            socket.send("{\"id\":1,\"symbol\":\"" + "x".repeat(300) + "\",\"price\":1}");
            socket.send("[" + RunningChannels.tick(7) + ",{\"id\":{}}," + RunningChannels.tick(8) + "]");
            channels.await("rows", () -> receiver.ids().size() == 2);
            assertThat(receiver.ids()).isEqualTo(ids(7, 8));
            assertThat(source.figures()).containsEntry("rejected", 4L).extractingByKey("lastRejected").asString()
                .contains("wrong-type", "missing-field", "too-large", "nested-value");
        }
    }

    @Test
    void shouldConnectAgainAndBeDegradedWhileServerIsAway() throws Exception
    {
        final int port = freePort();
        final String url = "http://127.0.0.1:" + port + "/pubsub";
        final RunningChannels none = new RunningChannels();
        try (RunningChannelSource source = start(none.pool, each -> each.setServerUrl(url)))
        {
            none.await("outage", () -> stage.raised.containsKey("HTP-0302"));
            for (int round = 1; round <= 3; round++)
            {
                final long first = round;
                try (RunningChannels channels =
                    new RunningChannels(ChannelLimits.STANDARD, List.of(), port, sink -> { }))
                {
                    channels.await("end of outage", () -> stage.raised.isEmpty() &&
                        source.figures().get("subscriptions").equals(first));
                    channels.sink.onBatch(RunningChannels.ticks(first, 1, "S"));
                    channels.await("row", () -> receiver.ids().size() == first);
                }
                none.await("outage", () -> stage.raised.containsKey("HTP-0302"));
            }
            assertThat(receiver.ids()).isEqualTo(ids(1, 3));
        }
        finally
        {
            none.close();
        }
    }

    private static int freePort() throws Exception
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return socket.getLocalPort();
        }
    }

    @Test
    void shouldReportRefusedSubscription() throws Exception
    {
        final List<ChannelConstraint> constraints = List.of(
            new ChannelConstraint(List.of("/**"), EnumSet.allOf(Operation.class), List.of("trader")));
        try (RunningChannels channels = new RunningChannels(ChannelLimits.STANDARD, constraints, sink -> { }))
        {
            final String url = channels.uri("http", "").toString();
            try (RunningChannelSource source = start(channels.pool, each -> each.setServerUrl(url)))
            {
                channels.await("refusal", () ->
                    source.figures().get("trouble").toString().contains("the subscription is refused: 403"));
            }
            try (RunningChannelSource source = start(channels.pool, each ->
            {
                each.setServerUrl(url);
                each.setUser("trader");
                each.setPasswordSecret("trader");
            }))
            {
                channels.await("subscription", () -> source.figures().get("connected").equals(true));
            }
        }
    }

    @Test
    void shouldContinueAfterSuspension() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(); RunningChannelSource source = remote(channels))
        {
            channels.publish(1);
            channels.await("row", () -> receiver.ids().size() == 1);
            source.suspend();
            channels.publish(1);
            source.source.beforeResume();
            source.start();
            channels.await("subscription", () -> source.figures().get("subscriptions").equals(2L));
            channels.publish(1);
            channels.await("row", () -> receiver.ids().size() == 2);
            assertThat(receiver.ids()).containsExactly(1L, 3L);
        }
    }

    @Test
    void shouldPublishToRemoteServerAndWaitWhileItIsAway() throws Exception
    {
        final int port = freePort();
        RunningChannels channels = new RunningChannels(ChannelLimits.STANDARD, List.of(), port, each -> { });
        final ChannelSink sink = remoteSink(channels, each -> { });
        WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
        channels.awaitSubscribers(1);
        sink.onBatch(RunningChannels.ticks(1, 200, "S"));
        for (long id = 1; id <= 200; id++)
        {
            // The order of members is not part of the protocol.
            assertThat(JsonParser.parseString(socket.next()))
                .isEqualTo(JsonParser.parseString(RunningChannels.tick(id)));
        }
        channels.close();

        final CompletableFuture<Void> waiting = CompletableFuture.runAsync(() ->
        {
            try
            {
                sink.onBatch(RunningChannels.ticks(201, 1, "S"));
            }
            catch (final EventRejectedException e)
            {
                throw new IllegalStateException(e);
            }
        });
        channels.await("outage", () -> stage.raised.containsKey("HTP-0302"));
        assertThat(waiting).isNotDone();
        channels = new RunningChannels(ChannelLimits.STANDARD, List.of(), port, each -> { });
        waiting.get(60, TimeUnit.SECONDS);
        assertThat(stage.raised).isEmpty();
        assertThat(sink.statistics()).containsEntry("rows", 201L).containsEntry("messages", 201L);
        sink.destroy();
        channels.close();
    }

    @Test
    void shouldRejectRowsThatRemoteServerRefuses() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final ChannelSink sink = remoteSink(channels, each -> each.setChannel("/unknown"));
            assertThatThrownBy(() -> sink.onBatch(RunningChannels.ticks(1, 2, "S")))
                .isInstanceOf(EventRejectedException.class).hasMessageContaining("HTP-0303");
            assertThat(sink.statistics()).containsEntry("rejected", 2L);
            sink.destroy();
        }
    }
}
