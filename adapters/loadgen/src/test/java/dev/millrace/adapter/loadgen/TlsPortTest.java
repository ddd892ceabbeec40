package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.loadgen.security.TlsContexts;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A data port with TLS, tested with the JDK's sockets. */
@Tag("slow")
@Timeout(180)
class TlsPortTest
{
    @TempDir
    private static Path folder;
    private static Path store;
    private static Path password;

    @BeforeAll
    static void makeKeys() throws Exception
    {
        store = TestKeys.keyStore(folder.resolve("port.p12"));
        password = TestKeys.secret(folder.resolve("password"), TestKeys.PASSWORD);
    }

    private static RunningAdapter open() throws IOException
    {
        return new RunningAdapter(Clock.SYSTEM, adapter ->
        {
            adapter.setKeyStore(store.toString());
            adapter.setKeyStorePasswordFile(password.toString());
        });
    }

    @Test
    void shouldTakeThePasswordOfItsKeyStoreFromASecretOfTheServer() throws Exception
    {
        try (RunningAdapter port = new RunningAdapter(Clock.SYSTEM,
            name -> name.equals("store") ? TestKeys.PASSWORD : null, adapter ->
            {
                adapter.setKeyStore(store.toString());
                adapter.setKeyStorePasswordSecret("store");
            }); SSLSocket text = encrypted(port, "TLSv1.3"))
        {
            text.getOutputStream().write("T,1\n".getBytes(StandardCharsets.US_ASCII));
            RunningAdapter.await(() -> port.rows.count() == 1);
        }
    }

    private static SSLSocket encrypted(final RunningAdapter port, final String protocol) throws Exception
    {
        final SSLContext context = TlsContexts.client(Path.of(store + ".pem"));
        final SSLSocket socket = (SSLSocket)context.getSocketFactory()
            .createSocket(port.connect(), "localhost", port.adapter.boundPort(), true);
        socket.setEnabledProtocols(new String[] {protocol});
        return socket;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void shouldTakeFramesAndTextThatAreEncrypted(final String protocol) throws Exception
    {
        try (RunningAdapter port = open(); SSLSocket frames = encrypted(port, protocol);
            SSLSocket text = encrypted(port, protocol))
        {
            frames.getOutputStream().write(WireFormat.preamble(RunningAdapter.PAIR));
            assertThat(RunningAdapter.answer(frames.getInputStream())).startsWith("0 symbol:char,lastPrice:double");
            assertThat(frames.getSession().getProtocol()).isEqualTo(protocol);
            final double[] prices = new double[60_000];
            Arrays.setAll(prices, i -> i);
            for (int i = 0; i < 3; i++)
            {
                frames.getOutputStream().write(RunningAdapter.frame("LARGE", prices));
                frames.getOutputStream().write(RunningAdapter.frame("SMALL", i));
            }
            RunningAdapter.await(() -> port.rows.count() == 180_003);
            assertThat(port.rows.rows().get(60_000)).isEqualTo("SMALL,0.0");
            assertThat(port.rows.rows().get(180_001)).isEqualTo("LARGE,59999.0");
            text.getOutputStream().write("T,1\nU,2".getBytes(StandardCharsets.US_ASCII));
            text.shutdownOutput();
            assertThat(text.getInputStream().read()).isEqualTo(-1);
            RunningAdapter.await(() -> port.rows.count() == 180_005);
            assertThat(port.rows.rejected()).isEmpty();
        }
    }

    @Test
    void shouldCloseThoseWhoDoNotSpeakTls() throws Exception
    {
        try (RunningAdapter port = open())
        {
            port.say("POST / HTTP/1.1\r\n\r\nEVIL,666\r\n");
            port.say(WireFormat.preamble(RunningAdapter.PAIR));
            RunningAdapter.await(() -> port.rows.rejected().getOrDefault("tls-failed", 0) == 2);
            assertThat(port.rows.details().get(0)).startsWith("LDG-0228 TLS failed, peer=127.0.0.1:")
                .contains("; this port accepts TLS 1.3 and 1.2 only");
            assertThat(port.rows.count()).isZero();
        }
    }

    @Test
    void shouldTakeNoRowOfAnHttpRequestThatIsEncrypted() throws Exception
    {
        try (RunningAdapter port = open(); SSLSocket socket = encrypted(port, "TLSv1.3"))
        {
            socket.getOutputStream().write("POST / HTTP/1.1\r\n\r\nEVIL,666\r\n".getBytes(StandardCharsets.US_ASCII));
            RunningAdapter.await(() -> port.rows.rejected().containsKey("http-request"));
            assertThat(port.rows.rejected()).containsOnly(Map.entry("http-request", 1));
            assertThat(port.rows.count()).isZero();
        }
    }

    @Test
    void shouldNotTakeALastLineThatSomebodyMayHaveCut() throws Exception
    {
        try (RunningAdapter port = open(); Socket plain = port.connect())
        {
            final SSLSocket socket = (SSLSocket)TlsContexts.client(Path.of(store + ".pem")).getSocketFactory()
                .createSocket(plain, "localhost", port.adapter.boundPort(), false);
            socket.getOutputStream().write("T,1\nU,2000".getBytes(StandardCharsets.US_ASCII));
            RunningAdapter.await(() -> port.rows.count() == 1);
            plain.shutdownOutput();
            RunningAdapter.await(() -> port.rows.rejected().containsKey("cut-off"));
            assertThat(port.rows.rows()).containsExactly("T,1.0");
        }
    }

    @Test
    void shouldRefuseKeyStoresThatCannotBeUsed() throws Exception
    {
        final Path wrong = TestKeys.secret(folder.resolve("wrong"), "something else");
        assertThatThrownBy(() -> new RunningAdapter(Clock.SYSTEM, adapter ->
        {
            adapter.setKeyStore(store.toString());
            adapter.setKeyStorePasswordFile(wrong.toString());
        })).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("LDG-0113 the key store cannot be used")
            .hasMessageContaining("password");
        assertThatThrownBy(() -> new RunningAdapter(Clock.SYSTEM, adapter -> adapter.setKeyStore(store.toString())))
            .hasMessageStartingWith("LDG-0113").hasMessageContaining("one of the two is missing");
    }

    @Test
    void shouldNotBelieveAServerOfAnotherName() throws Exception
    {
        try (RunningAdapter port = open())
        {
            final SSLContext context = TlsContexts.client(Path.of(store + ".pem"));
            final javax.net.ssl.SSLEngine engine = TlsContexts.clientEngine(context, "example.org", 1);
            assertThat(engine.getSSLParameters().getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
            assertThatThrownBy(() ->
            {
                final SSLSocket socket = (SSLSocket)context.getSocketFactory()
                    .createSocket(port.connect(), "example.org", port.adapter.boundPort(), true);
                socket.setSSLParameters(engine.getSSLParameters());
                socket.startHandshake();
            }).isInstanceOf(SSLException.class);
        }
    }
}
