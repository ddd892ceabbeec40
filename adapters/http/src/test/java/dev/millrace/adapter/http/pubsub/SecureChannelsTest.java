package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.http.TestCertificate;
import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.inbound.Receiver;
import dev.millrace.api.http.PortTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.cometd.client.BayeuxClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients, sources and remote sinks at a server of channels whose port has TLS. */
@Tag("slow")
@Timeout(180)
class SecureChannelsTest
{
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";
    private static TestCertificate server;
    /** A certificate that the server does not trust, with the name of another host. */
    private static TestCertificate other;
    private final Receiver receiver = new Receiver(TestStage.TICK);
    private final TestStage stage = new TestStage(TestStage.TICK);

    @BeforeAll
    static void createCertificates(@TempDir final Path temporary) throws Exception
    {
        server = new TestCertificate(temporary, "server", "IP:127.0.0.1");
        other = new TestCertificate(temporary, "other", "DNS:other.example.org");
    }

    private static PortTls tls(final TestCertificate own, final boolean needsClientAuth) throws Exception
    {
        return new PortTls(own.trusting(server), List.of("TLSv1.3", "TLSv1.2"), List.of(), needsClientAuth);
    }

    private static HttpClient http(final SSLContext context)
    {
        return HttpClient.newBuilder().sslContext(context).build();
    }

    /** Changes the trust store of the JVM, which sources and remote sinks use. */
    private static void trust(final TestCertificate trusted) throws Exception
    {
        System.setProperty(TRUST_STORE, trusted.trustFile().toString());
        System.setProperty(TRUST_STORE + "Password", TestCertificate.PASSWORD);
    }

    @AfterEach
    void restoreTrustStore()
    {
        System.clearProperty(TRUST_STORE);
        System.clearProperty(TRUST_STORE + "Password");
    }

    private RunningChannelSource source(final RunningChannels channels) throws Exception
    {
        final String url = channels.uri("https", "").toString();
        return new RunningChannelSource(stage, receiver, channels.pool, source -> source.setServerUrl(url));
    }

    private ChannelSink sink(final RunningChannels channels, final String url) throws Exception
    {
        final ChannelSink sink = new ChannelSink(RunningChannels.SECRETS, channels.pool);
        sink.setStageContext(stage);
        sink.setChannel("/ticks");
        sink.setServerUrl(url);
        sink.setMaxRetryMillis(50);
        sink.setTimeoutMillis(5_000);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    @Test
    void shouldServeAllProtocolsOverTls() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(tls(server, false)))
        {
            final WebSocketClient socket = channels.add(
                new WebSocketClient(http(server.trusted()), channels.uri("wss", "/ws/ticks")));
            final CometClient comet = channels.add(
                new CometClient(channels.uri("https", ""), null, server.trusted())).connect();
            assertThat(comet.subscribe("/ticks").isSuccessful()).isTrue();
            final EventStreamClient stream = channels.add(
                new EventStreamClient(http(server.trusted()), channels.uri("https", "/sse/ticks"), null));
            channels.awaitSubscribers(2);

            channels.publish(1);

            assertThat(socket.next()).isEqualTo(RunningChannels.tick(1));
            assertThat(comet.next()).isEqualTo(Map.of("id", 1L, "symbol", "S", "price", 0.5));
            assertThat(stream.next().data()).isEqualTo(RunningChannels.tick(1));
        }
    }

    @Test
    void shouldNotServeClientsThatDoNotTrustTheServer() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(tls(server, false)))
        {
            assertThatThrownBy(() ->
                new WebSocketClient(http(other.trusted()), channels.uri("wss", "/ws/ticks")))
                .isInstanceOf(CompletionException.class).hasCauseInstanceOf(SSLHandshakeException.class);
            final CometClient comet =
                channels.add(new CometClient(channels.uri("https", ""), null, other.trusted()));
            comet.bayeux.handshake();
            assertThat(comet.bayeux.waitFor(1_000, BayeuxClient.State.CONNECTED)).isFalse();
            assertThat(channels.figures()).containsEntry("clients", 0);
        }
    }

    @Test
    void shouldRefuseClientsWithoutTrustedCertificate() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(tls(server, true)))
        {
            final URI uri = channels.uri("wss", "/ws/ticks");
            assertThatThrownBy(() -> new WebSocketClient(http(other.trusting(server)), uri))
                .isInstanceOf(CompletionException.class).hasCauseInstanceOf(IOException.class);
            assertThatThrownBy(() -> new WebSocketClient(http(server.trusted()), uri))
                .isInstanceOf(CompletionException.class).hasCauseInstanceOf(IOException.class);
            final HttpRequest poll = HttpRequest.newBuilder(channels.uri("https", ""))
                .POST(HttpRequest.BodyPublishers.ofString("[]")).build();
            assertThatThrownBy(() ->
                http(other.trusting(server)).send(poll, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);

            final WebSocketClient socket = channels.add(new WebSocketClient(http(server.trusting(server)), uri));
            channels.awaitClients(1);
            channels.publish(1);
            assertThat(socket.next()).isEqualTo(RunningChannels.tick(1));
        }
    }

    @Test
    void shouldSendRowsFromSinkToSourceOverTls() throws Exception
    {
        trust(server);
        try (RunningChannels channels = new RunningChannels(tls(server, false));
            RunningChannelSource source = source(channels))
        {
            channels.await("subscription", () -> source.figures().get("connected").equals(true));
            final ChannelSink sink = sink(channels, channels.uri("https", "").toString());
            sink.onBatch(RunningChannels.ticks(1, 200, "S"));
            channels.await("rows", () -> receiver.ids().size() == 200);
            assertThat(receiver.ids()).isEqualTo(LongStream.rangeClosed(1, 200).boxed().toList());
            assertThat(sink.statistics()).containsEntry("rows", 200L).containsEntry("retried", 0L);
            assertThat(stage.raised).isEmpty();
            sink.destroy();
        }
    }

    @Test
    void shouldBeDegradedWhileCertificateOfServerIsNotTrusted() throws Exception
    {
        trust(other);
        try (RunningChannels channels = new RunningChannels(tls(server, false));
            RunningChannelSource source = source(channels))
        {
            channels.await("outage", () -> stage.raised.containsKey("HTP-0302"));
            assertThat(stage.raised.get("HTP-0302")).contains("SSLHandshakeException");
            assertThat(source.figures()).containsEntry("connected", false).containsEntry("subscriptions", 0L);
            assertThat(channels.figures()).containsEntry("clients", 0);
        }
    }

    @Test
    void shouldBeDegradedIfCertificateIsThatOfAnotherHost() throws Exception
    {
        trust(other);
        try (RunningChannels channels = new RunningChannels(tls(other, false));
            RunningChannelSource source = source(channels))
        {
            channels.await("outage", () -> stage.raised.containsKey("HTP-0302"));
            assertThat(stage.raised.get("HTP-0302")).contains("SSLHandshakeException");
            assertThat(source.figures()).containsEntry("subscriptions", 0L);
        }
    }

    @Test
    void shouldRefuseUrlsOfWebSockets() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            assertThatThrownBy(() -> sink(channels, "wss://127.0.0.1:9443/pubsub"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("HTP-0101")
                .hasMessageContaining("https://host.example.org");
        }
    }
}
