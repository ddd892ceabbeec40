package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelLimits;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.cometd.client.BayeuxClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Bayeux protocol with CometD's client, and with single requests. */
@Tag("slow")
@Timeout(180)
class BayeuxTest
{
    private static final String HANDSHAKE =
        "[{\"channel\":\"/meta/handshake\",\"version\":\"1.0\",\"supportedConnectionTypes\":[\"%s\"]}]";

    private static ChannelLimits limits(final int clients, final int queueBytes, final boolean isSlowDisconnected)
    {
        return new ChannelLimits(clients, 2, 10_000, queueBytes, 0, isSlowDisconnected, 60_000, 5_000);
    }

    @Test
    void shouldDeliverRowsInOrderToSubscribersOfNamesAndPatterns() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final CometClient name = channels.add(new CometClient(channels.uri("http", ""))).connect();
            final CometClient pattern = channels.add(new CometClient(channels.uri("http", ""))).connect();
            assertThat(name.subscribe("/ticks").isSuccessful()).isTrue();
            assertThat(pattern.subscribe("/**").isSuccessful()).isTrue();

            channels.publish(200);
            channels.publish(200);

            for (long id = 1; id <= 400; id++)
            {
                final Map<String, Object> tick = Map.of("id", id, "symbol", "S", "price", 0.5);
                assertThat(name.next()).isEqualTo(tick);
                assertThat(pattern.next()).isEqualTo(tick);
            }
            assertThat(channels.figures()).containsEntry("clients", 2).containsEntry("lost", 0L);
        }
    }

    @Test
    void shouldPassMessagesBetweenTransports() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final CometClient comet = channels.add(new CometClient(channels.uri("http", ""))).connect();
            comet.subscribe("/open/*");
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/open/a")));
            channels.await("subscription", () -> channels.figures().get("subscribers").equals(1));

            assertThat(comet.publish("/open/a", Map.of("a", 1)).isSuccessful()).isTrue();
            assertThat(socket.next()).isEqualTo("{\"a\":1}");
            assertThat(comet.next()).isEqualTo(Map.of("a", 1L));
            socket.send("{\"b\":2}");
            assertThat(comet.next()).isEqualTo(Map.of("b", 2L));
            assertThat(socket.next()).isEqualTo("{\"b\":2}");
        }
    }

    @Test
    void shouldServeBayeuxOverWebSocket() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "")));
            socket.send(HANDSHAKE.formatted("websocket"));
            final String handshake = socket.next();
            assertThat(handshake).contains("\"successful\":true", "websocket");
            final String id = handshake.replaceAll(".*\"clientId\":\"([^\"]+)\".*", "$1");
            socket.send("[{\"channel\":\"/meta/subscribe\",\"clientId\":\"" + id + "\",\"subscription\":\"/ticks\"}]");
            assertThat(socket.next()).contains("\"successful\":true", "/meta/subscribe");
            socket.send("[{\"channel\":\"/meta/connect\",\"clientId\":\"" + id +
                "\",\"connectionType\":\"websocket\",\"advice\":{\"timeout\":0}}]");
            assertThat(socket.next()).contains("/meta/connect");

            channels.publish(1);

            assertThat(socket.next()).contains("\"channel\":\"/ticks\"", "\"data\":" + RunningChannels.tick(1));
            socket.send("[{\"channel\":\"/meta/disconnect\",\"clientId\":\"" + id + "\"}]");
            assertThat(socket.next()).contains("/meta/disconnect", "\"successful\":true");
            channels.await("client left", () -> channels.figures().get("clients").equals(0));
        }
    }

    @Test
    void shouldRefuseUnknownChannelsAndTooManySubscriptions() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(10, 100_000, true), List.of(), sink -> { }))
        {
            final CometClient comet = channels.add(new CometClient(channels.uri("http", ""))).connect();
            assertThat(comet.subscribe("/unknown").isSuccessful()).isFalse();
            assertThat(comet.publish("/unknown", Map.of()).isSuccessful()).isFalse();
            assertThat(comet.publish("/open/a", "text").isSuccessful()).isFalse();
            assertThat(comet.subscribe("/ticks").isSuccessful()).isTrue();
            assertThat(comet.subscribe("/open/a").isSuccessful()).isTrue();
            assertThat(comet.subscribe("/open/b").isSuccessful()).isFalse();
            assertThat(channels.figures().get("lastRejectedMessages").toString())
                .contains("unknown-channel", "broken-json", "too-many-subscriptions");
        }
    }

    @Test
    void shouldRequireRolesOfConstraints() throws Exception
    {
        final List<ChannelConstraint> constraints = List.of(
            new ChannelConstraint(List.of("/ticks"), EnumSet.allOf(Operation.class), List.of("trader")));
        try (RunningChannels channels = new RunningChannels(ChannelLimits.STANDARD, constraints, sink -> { }))
        {
            final CometClient nobody = channels.add(new CometClient(channels.uri("http", ""))).connect();
            assertThat(nobody.subscribe("/ticks").isSuccessful()).isFalse();
            assertThat(nobody.subscribe("/**").isSuccessful()).isFalse();
            assertThat(nobody.publish("/ticks", Map.of("a", 1)).isSuccessful()).isFalse();
            assertThat(nobody.subscribe("/open/*").isSuccessful()).isTrue();
            final CometClient trader = channels.add(new CometClient(channels.uri("http", ""),
                "Bearer " + RunningChannels.SECRET + "trader")).connect();
            assertThat(trader.subscribe("/ticks").isSuccessful()).isTrue();
            assertThat(trader.publish("/ticks", Map.of("a", 1)).isSuccessful()).isTrue();
            assertThat(trader.next()).isEqualTo(Map.of("a", 1L));
        }
    }

    @Test
    void shouldLimitNumberOfClients() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(1, 100_000, true), List.of(), sink -> { }))
        {
            channels.add(new CometClient(channels.uri("http", ""))).connect();
            assertThat(post(channels, HANDSHAKE.formatted("long-polling")).body())
                .contains("\"successful\":false", "\"reconnect\":\"handshake\"");
        }
    }

    @Test
    void shouldDropClientsThatDoNotConnectWithinClientTimeout() throws Exception
    {
        final ChannelLimits limits = new ChannelLimits(10, 2, 10_000, 100_000, 0, true, 3_000, 5_000);
        try (RunningChannels channels = new RunningChannels(limits, List.of(), sink -> { }))
        {
            channels.add(new CometClient(channels.uri("http", ""))).connect();
            assertThat(post(channels, HANDSHAKE.formatted("long-polling")).body()).contains("\"successful\":true");
            final HttpResponse<String> handshake = post(channels, HANDSHAKE.formatted("long-polling"));
            final String id = handshake.body().replaceAll(".*\"clientId\":\"([^\"]+)\".*", "$1");
            final String cookie = handshake.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            assertThat(post(channels, "[{\"channel\":\"/meta/connect\",\"clientId\":\"" + id +
                "\",\"connectionType\":\"long-polling\",\"advice\":{\"timeout\":0}}]", "Cookie", cookie).body())
                .contains("\"successful\":true");
            channels.await("all but the connected client to be dropped",
                () -> channels.figures().get("clients").equals(1));
            assertThat(post(channels, "[{\"channel\":\"/meta/connect\",\"clientId\":\"" + id +
                "\",\"connectionType\":\"long-polling\"}]", "Cookie", cookie).body()).contains("402");
        }
    }

    @Test
    void shouldLimitQueueOfClientThatDoesNotConnect() throws Exception
    {
        for (final boolean isDisconnected : List.of(true, false))
        {
            try (RunningChannels channels =
                new RunningChannels(limits(10, 2_000, isDisconnected), List.of(), sink -> { }))
            {
                final HttpResponse<String> handshake = post(channels, HANDSHAKE.formatted("long-polling"));
                final String id = handshake.body().replaceAll(".*\"clientId\":\"([^\"]+)\".*", "$1");
                final String cookie = handshake.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
                assertThat(post(channels, "[{\"channel\":\"/meta/subscribe\",\"clientId\":\"" + id +
                    "\",\"subscription\":\"/ticks\"}]", "Cookie", cookie).body()).contains("\"successful\":true");

                channels.publish(100);

                assertThat((Long)channels.figures().get("lost")).isGreaterThan(isDisconnected ? 10 : 70);
                final String connect = post(channels, "[{\"channel\":\"/meta/connect\",\"clientId\":\"" + id +
                    "\",\"connectionType\":\"long-polling\",\"advice\":{\"timeout\":0}}]", "Cookie", cookie).body();
                if (isDisconnected)
                {
                    channels.await("client left", () -> channels.figures().get("clients").equals(0));
                    assertThat(channels.figures()).containsEntry("slowClients", 1L);
                }
                else
                {
                    assertThat(connect).contains(RunningChannels.tick(100)).doesNotContain(RunningChannels.tick(70));
                }
            }
        }
    }

    @Test
    void shouldRejectBrokenAndLargeMessages() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(limits(10, 100_000, true), List.of(), sink -> { }))
        {
            assertThat(post(channels, "[{\"channel\":").statusCode()).isEqualTo(400);
            assertThat(post(channels, "[{\"channel\":\"/open/a\",\"data\":\"" + "x".repeat(20_000) + "\"}]")
                .statusCode()).isEqualTo(413);
            assertThat(channels.figures()).containsEntry("rejectedMessages", 2L);
        }
    }

    /** A connection that was closed before its client had sent everything was reset. */
    @Test
    void shouldAnswerClientThatSendsRefusedBodySlowly() throws Exception
    {
        final byte[] part = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
        final int parts = 100;
        try (RunningChannels channels = new RunningChannels(limits(10, 100_000, true), List.of(), sink -> { });
            Socket socket = new Socket("127.0.0.1", channels.uri("http", "").getPort()))
        {
            final OutputStream out = socket.getOutputStream();
            out.write(("POST " + channels.uri("http", "").getPath() + " HTTP/1.1\r\nHost: localhost\r\n" +
                "Content-Type: application/json\r\nContent-Length: " + part.length * (long)parts + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            final BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(),
                StandardCharsets.US_ASCII));
            assertThat(in.readLine()).contains(" 413 ");
            for (int i = 0; i < parts; i++)
            {
                out.write(part);
            }
            assertThat(in.readLine()).isNotEmpty();
        }
    }

    @Test
    void shouldDisconnectClientsWithLastUseOfServer() throws Exception
    {
        final CometClient comet;
        try (RunningChannels channels = new RunningChannels())
        {
            comet = new CometClient(channels.uri("http", "")).connect();
        }
        assertThat(comet.bayeux.waitFor(60_000, BayeuxClient.State.UNCONNECTED, BayeuxClient.State.DISCONNECTED))
            .isTrue();
        comet.close();
    }

    private static HttpResponse<String> post(final RunningChannels channels, final String body,
        final String... headers) throws Exception
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(channels.uri("http", ""))
            .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2)
        {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
