package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.http.pubsub.EventStreamClient.Event;
import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plain WebSocket and server-sent events, with real clients. */
@Timeout(60)
class PushTest
{
    private static final String LARGE = "x".repeat(60_000);

    private static ChannelLimits limits(final int clients, final int queueBytes, final int retainedBytes,
        final boolean isSlowDisconnected)
    {
        return new ChannelLimits(clients, 10, 10_000, queueBytes, retainedBytes, isSlowDisconnected, 4_000, 1_000);
    }

    @Test
    void shouldDeliverRowsInOrderToWebSocketAndEventStream() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            final WebSocketClient arrays =
                channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks?messages=array")));
            final EventStreamClient stream =
                channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), null));
            channels.awaitClients(3);

            channels.publish(200);
            channels.publish(200);

            for (long id = 1; id <= 400; id++)
            {
                assertThat(socket.next()).isEqualTo(RunningChannels.tick(id));
            }
            assertThat(stream.next(400)).extracting(Event::data).containsExactlyElementsOf(
                LongStream.rangeClosed(1, 400).mapToObj(RunningChannels::tick).toList());
            final StringBuilder all = new StringBuilder();
            while (all.length() == 0 || !all.toString().contains(RunningChannels.tick(400)))
            {
                final String array = arrays.next();
                assertThat(array).startsWith("[{").endsWith("}]");
                all.append(all.isEmpty() ? "" : ",").append(array, 1, array.length() - 1);
            }
            assertThat(all).hasToString(String.join(",",
                LongStream.rangeClosed(1, 400).mapToObj(RunningChannels::tick).toList()));
            assertThat(channels.figures()).containsEntry("rows", 400L).containsEntry("messages", 400L)
                .containsEntry("published", 400L).containsEntry("lost", 0L);
        }
    }

    @Test
    void shouldPublishArrayPerBatch() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(ChannelLimits.STANDARD, List.of(),
            sink -> sink.setMessages("array")))
        {
            final EventStreamClient stream =
                channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), null));
            channels.awaitClients(1);

            channels.publish(2);

            assertThat(stream.next().data())
                .isEqualTo('[' + RunningChannels.tick(1) + ',' + RunningChannels.tick(2) + ']');
            assertThat(channels.figures()).containsEntry("rows", 2L).containsEntry("messages", 1L);
        }
    }

    @Test
    void shouldReplayRetainedMessagesAfterLastEventId() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final String id;
            try (EventStreamClient stream = new EventStreamClient(channels.uri("http", "/sse/ticks"), null))
            {
                channels.awaitClients(1);
                channels.publish(3);
                id = stream.next(2).get(1).id();
            }
            channels.publish(2);

            final EventStreamClient again =
                channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), id));
            assertThat(again.next(3)).extracting(Event::data).containsExactly(RunningChannels.tick(3),
                RunningChannels.tick(4), RunningChannels.tick(5));
            assertThat(channels.figures()).containsEntry("replayed", 3L);
        }
    }

    @Test
    void shouldReportGapWhenMessagesAreNoLongerRetained() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(10, 100_000, 250, true), List.of(), sink -> { }))
        {
            final String id;
            try (EventStreamClient stream = new EventStreamClient(channels.uri("http", "/sse/ticks"), null))
            {
                channels.awaitClients(1);
                channels.publish(1);
                id = stream.next().id();
            }
            channels.publish(5);

            final EventStreamClient again = channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), id));
            final List<Event> events = again.next(3);
            assertThat(events.get(0).event()).isEqualTo("gap");
            assertThat(events.get(0).data()).isEqualTo("{\"missing\":3}");
            assertThat(events.get(1).data()).isEqualTo(RunningChannels.tick(5));
            assertThat(events.get(2).data()).isEqualTo(RunningChannels.tick(6));

            final EventStreamClient other =
                channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), "other-1"));
            channels.publish(1);
            assertThat(other.next()).isEqualTo(new Event(null, "gap", "{\"missing\":null}"));
            assertThat(other.next().data()).isEqualTo(RunningChannels.tick(7));
        }
    }

    @Test
    void shouldPublishMessagesOfWebSocketClients() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final EventStreamClient stream =
                channels.add(new EventStreamClient(channels.uri("http", "/sse/open/a/b"), null));
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/open/a/b")));
            channels.awaitClients(2);

            socket.send("{ \"a\" : 1 }");
            socket.send("[{\"a\":\"ü\\n\"},\n{\"a\":null}]");

            assertThat(stream.next(3)).extracting(Event::data)
                .containsExactly("{\"a\":1}", "{\"a\":\"ü\\n\"}", "{\"a\":null}");
            assertThat(socket.next()).isEqualTo("{\"a\":1}");
        }
    }

    @Test
    void shouldCloseWebSocketOfClientThatSendsBrokenMessages() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final WebSocketClient broken = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            broken.send("{\"id\":1");
            assertThat(broken.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1007);
            final WebSocketClient number = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            number.send("[1]");
            assertThat(number.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1007);
            final WebSocketClient large = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            large.send("{\"id\":\"" + "x".repeat(70_000) + "\"}");
            assertThat(large.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1009);

            channels.awaitClients(0);
            assertThat(channels.figures()).containsEntry("rejectedMessages", 3L)
                .extractingByKey("lastRejectedMessages").asString().contains("broken-json", "too-large", "/ticks");
        }
    }

    @Test
    void shouldDisconnectSlowEventStreamWithoutDelayForOthers() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(10, 300_000, 0, true), List.of(), sink -> { });
            Socket slow = new Socket("127.0.0.1", channels.port()))
        {
            slow.getOutputStream().write("GET /pubsub/sse/ticks HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
            final WebSocketClient other = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            channels.awaitClients(2);

            int published = 0;
            while (channels.figures().get("slowClients").equals(0L))
            {
                channels.publish(1, LARGE);
                published++;
                assertThat(other.next()).contains("\"id\":" + published);
            }

            channels.awaitClients(1);
            final InputStream in = slow.getInputStream();
            slow.setSoTimeout(60_000);
            assertThat(readToEnd(in)).isLessThan(published * (long)LARGE.length());
            assertThat((Long)channels.figures().get("lost")).isPositive();
        }
    }

    private static long readToEnd(final InputStream in) throws IOException
    {
        try
        {
            return in.readAllBytes().length;
        }
        catch (final IOException e)
        {
            // The connection was reset.
            return 0;
        }
    }

    @Test
    void shouldDropOldestMessagesOfSlowWebSocketIfConfigured() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(10, 300_000, 0, false), List.of(), sink -> { }))
        {
            final WebSocketClient slow =
                channels.add(new WebSocketClient(false, channels.uri("ws", "/ws/ticks")));
            channels.awaitClients(1);
            int published = 0;
            while (((Long)channels.figures().get("lost")) < 10)
            {
                channels.publish(1, LARGE);
                published++;
            }
            slow.read();

            long received = 0;
            long last = 0;
            while (last < published)
            {
                final String message = slow.next();
                assertThat(message).isNotNull();
                final long id = Long.parseLong(message.substring(6, message.indexOf(',')));
                assertThat(id).isGreaterThan(last);
                last = id;
                received++;
            }
            assertThat(received + (Long)channels.figures().get("lost")).isEqualTo(published);
            assertThat(channels.figures()).containsEntry("clients", 1);
        }
    }

    @Test
    void shouldRefuseUnknownChannelsAndForeignPages() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            assertThat(refused(channels, "/sse/unknown")).startsWith("404").contains("HTP-0305");
            assertThat(refused(channels, "/sse/meta/connect")).startsWith("404").contains("HTP-0305");
            assertThat(refused(channels, "/sse/ticks/*")).startsWith("404").contains("HTP-0305");
            assertThat(refused(channels, "/sse/ticks", "Origin", "https://evil.example.org"))
                .startsWith("403").contains("HTP-0201");
            assertThat(refused(channels, "/ws/ticks")).startsWith("400").contains("HTP-0200");
            assertThatThrownBy(() -> new WebSocketClient(channels.uri("ws", "/ws/unknown")))
                .isInstanceOf(CompletionException.class).hasCauseInstanceOf(WebSocketHandshakeException.class);
            channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks"), "Origin", "https://app.example.org"));
            channels.awaitClients(1);
        }
    }

    private static String refused(final RunningChannels channels, final String path, final String... headers)
        throws Exception
    {
        try (EventStreamClient client = new EventStreamClient(channels.uri("http", path), null, headers))
        {
            return client.status() + " " + client.line();
        }
    }

    @Test
    void shouldRequireRolesOfConstraints() throws Exception
    {
        final List<ChannelConstraint> constraints = List.of(
            new ChannelConstraint(List.of("/ticks"), EnumSet.of(Operation.SUBSCRIBE), List.of("reader", "writer")),
            new ChannelConstraint(List.of("/ticks", "/open/*"), EnumSet.of(Operation.PUBLISH), List.of("writer")));
        try (RunningChannels channels = new RunningChannels(ChannelLimits.STANDARD, constraints, sink -> { }))
        {
            final String reader = "Bearer " + RunningChannels.SECRET + "reader";
            final String writer = basic("writer", RunningChannels.SECRET + "writer");

            assertThat(refused(channels, "/sse/ticks")).startsWith("401").contains("HTP-0202");
            assertThat(refused(channels, "/sse/ticks", "Authorization", "Bearer wrong")).startsWith("401");
            final WebSocketClient reads =
                channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks"), "Authorization", reader));
            final WebSocketClient writes =
                channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks"), "Authorization", writer));
            channels.awaitClients(2);

            writes.send("{\"a\":1}");
            assertThat(reads.next()).isEqualTo("{\"a\":1}");
            reads.send("{\"a\":2}");
            assertThat(reads.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1008);
            channels.add(new EventStreamClient(channels.uri("http", "/sse/open/a"), null));
        }
    }

    @Test
    void shouldLetRoleWaitAfterWrongPasswords() throws Exception
    {
        final List<ChannelConstraint> constraints = List.of(
            new ChannelConstraint(List.of("/ticks"), EnumSet.of(Operation.SUBSCRIBE), List.of("reader", "writer")));
        try (RunningChannels channels = new RunningChannels(ChannelLimits.STANDARD, constraints, sink -> { }))
        {
            for (int i = 0; i < 5; i++)
            {
                assertThat(refused(channels, "/sse/ticks", "Authorization", basic("reader", "wrong")))
                    .startsWith("401");
            }
            assertThat(refused(channels, "/sse/ticks", "Authorization", basic("reader", RunningChannels.SECRET +
                "reader"))).startsWith("429").contains("HTP-0217");
            channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), null, "Authorization",
                basic("writer", RunningChannels.SECRET + "writer")));
            channels.awaitClients(1);
        }
    }

    private static String basic(final String user, final String password)
    {
        return "Basic " + Base64.getEncoder().encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldLimitNumberOfClients() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(1, 10_000, 0, true), List.of(), sink -> { }))
        {
            final WebSocketClient first = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            channels.awaitClients(1);
            assertThat(refused(channels, "/sse/ticks")).startsWith("503").contains("HTP-0307");
            first.close();
            channels.awaitClients(0);
            channels.add(new EventStreamClient(channels.uri("http", "/sse/ticks"), null));
            channels.awaitClients(1);
            assertThat(channels.figures()).containsEntry("refusedClients", 1L);
        }
    }

    @Test
    void shouldEndClientsWithLastUseOfServer() throws Exception
    {
        final WebSocketClient socket;
        final EventStreamClient stream;
        try (RunningChannels channels = new RunningChannels())
        {
            socket = new WebSocketClient(channels.uri("ws", "/ws/ticks"));
            stream = new EventStreamClient(channels.uri("http", "/sse/ticks"), null);
            channels.awaitClients(2);
        }
        assertThat(socket.closed.get(60, TimeUnit.SECONDS)).isEqualTo(1013);
        assertThatThrownBy(stream::next).isInstanceOf(IOException.class).hasMessage("end of stream");
    }
}
