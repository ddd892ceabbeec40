package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.http.TestCertificate;
import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.server.ServerLimits;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.http.PortTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Access by tokens, users and origins, and the limits for clients without access. */
@Timeout(60)
class AccessTest
{
    private static final HttpRequest.BodyPublisher NONE = HttpRequest.BodyPublishers.ofString("[]");
    private final Receiver receiver = new Receiver(TestStage.TICK);

    private static int status(final RunningSource running, final String header, final String value)
        throws IOException, InterruptedException
    {
        return RunningSource.send(running.request("application/json").header(header, value).POST(NONE)).statusCode();
    }

    private static String basic(final String pair)
    {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldAcceptOnlyKnownTokensAndUsers() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source ->
        {
            source.setTokenSecrets("client1, client2");
            source.setUserSecrets("client3");
        }).start())
        {
            final HttpResponse<String> none =
                RunningSource.send(running.request("application/json").POST(NONE));
            assertThat(none.statusCode()).isEqualTo(401);
            assertThat(none.headers().allValues("WWW-Authenticate")).hasSize(2);
            assertThat(none.body()).contains("HTP-0202");

            assertThat(status(running, "Authorization", "Bearer " + RunningSource.TOKEN + "client1")).isEqualTo(200);
            assertThat(status(running, "Authorization", "bearer " + RunningSource.TOKEN + "client2")).isEqualTo(200);
            assertThat(status(running, "Authorization", "Bearer " + RunningSource.TOKEN + "client3")).isEqualTo(401);
            assertThat(status(running, "Authorization", "Bearer ")).isEqualTo(401);
            assertThat(status(running, "Authorization", basic("client3:" + RunningSource.TOKEN + "client3")))
                .isEqualTo(200);
            assertThat(status(running, "Authorization", basic("client1:" + RunningSource.TOKEN + "client1")))
                .isEqualTo(401);
            assertThat(status(running, "Authorization", basic("client3:"))).isEqualTo(401);
            assertThat(status(running, "Authorization", "Basic *")).isEqualTo(401);
            assertThat(running.figures().get("refusedRequests").toString()).isEqualTo("{HTP-0202=6}");
        }
    }

    @Test
    void shouldLetUserWaitAfterWrongPasswordsOfSameAddress() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source ->
        {
            source.setUserSecrets("client1, client2");
            source.setTokenSecrets("client3");
        }).start())
        {
            final String right = basic("client1:" + RunningSource.TOKEN + "client1");
            for (int i = 0; i < 5; i++)
            {
                assertThat(status(running, "Authorization", basic("client1:" + RunningSource.TOKEN + i)))
                    .isEqualTo(401);
            }
            final HttpResponse<String> refused = RunningSource.send(running.request("application/json")
                .header("Authorization", right).POST(HttpRequest.BodyPublishers.ofString("[]")));
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).contains("HTP-0217");
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("60");
            assertThat(status(running, "Authorization", basic("client2:" + RunningSource.TOKEN + "client2")))
                .isEqualTo(200);
            assertThat(raw(running, "127.0.0.2", "POST /ticks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n" +
                "Content-Type: application/json\r\nAuthorization: " + right + "\r\nConnection: close\r\n\r\n[]"))
                .startsWith("HTTP/1.1 200");
            assertThat(running.figures().get("refusedRequests").toString()).isEqualTo("{HTP-0202=5, HTP-0217=1}");
        }
    }

    /** Otherwise a client could send another address with each password. */
    @Test
    void shouldNotReadTheAddressOfAUserFromHeaders() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source -> source.setUserSecrets("client1")).start())
        {
            for (int i = 0; i < 6; i++)
            {
                assertThat(RunningSource.send(running.request("application/json")
                    .header("Authorization", basic("client1:" + RunningSource.TOKEN + i))
                    .header("X-Forwarded-For", "10.0.0." + i).header("Forwarded", "for=10.0.0." + i)
                    .POST(HttpRequest.BodyPublishers.ofString("[]"))).statusCode()).isEqualTo(i < 5 ? 401 : 429);
            }
        }
    }

    /** Otherwise one client with an old token would lock all clients of its proxy. */
    @Test
    void shouldAcceptRightTokenAfterManyWrongOnesOfSameAddress() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source -> source.setTokenSecrets("client1")).start())
        {
            for (int i = 0; i < 50; i++)
            {
                assertThat(status(running, "Authorization", "Bearer " + RunningSource.TOKEN + i)).isEqualTo(401);
            }
            assertThat(status(running, "Authorization", "Bearer " + RunningSource.TOKEN + "client1")).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseWebPagesUnlessTheirOriginIsAllowed() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver,
            source -> source.setAllowedOrigins("https://app.example.org")).start())
        {
            assertThat(status(running, "Origin", "https://evil.example.org")).isEqualTo(403);
            assertThat(status(running, "Origin", "null")).isEqualTo(403);
            assertThat(status(running, "Origin", "https://app.example.org")).isEqualTo(200);
            assertThat(raw(running, "POST /ticks HTTP/1.1\r\nHost: evil.example.org\r\nContent-Length: 2\r\n" +
                "Content-Type: application/json\r\nConnection: close\r\n\r\n[]")).startsWith("HTTP/1.1 403");
        }
    }

    /** Browsers send a preflight without credentials before a page may post JSON. */
    @Test
    void shouldAnswerPreflightOfAllowedOrigin() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source ->
        {
            source.setAllowedOrigins("https://app.example.org");
            source.setTokenSecrets("client1");
        }).start())
        {
            final HttpResponse<String> allowed = preflight(running, "https://app.example.org");
            assertThat(allowed.statusCode()).isEqualTo(204);
            assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://app.example.org");
            assertThat(allowed.headers().firstValue("Access-Control-Allow-Methods").orElseThrow()).contains("POST");
            assertThat(allowed.headers().firstValue("Access-Control-Allow-Headers").orElseThrow().split(", "))
                .contains("Authorization", "Content-Type", "Idempotency-Key");
            final HttpResponse<String> foreign = preflight(running, "https://evil.example.org");
            assertThat(foreign.statusCode()).isEqualTo(403);
            assertThat(foreign.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
            final HttpResponse<String> wrong = RunningSource.send(running.request("application/json")
                .header("Origin", "https://app.example.org").header("Authorization", "Bearer wrong").POST(NONE));
            assertThat(wrong.statusCode()).isEqualTo(401);
            assertThat(wrong.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://app.example.org");
        }
    }

    private static HttpResponse<String> preflight(final RunningSource running, final String origin)
        throws IOException, InterruptedException
    {
        return RunningSource.send(running.request("application/json").header("Origin", origin)
            .header("Access-Control-Request-Method", "POST").method("OPTIONS", HttpRequest.BodyPublishers.noBody()));
    }

    /** Sends bytes, and returns all bytes of the response. */
    private static String raw(final RunningSource running, final String request) throws IOException
    {
        return raw(running, "127.0.0.1", request);
    }

    private static String raw(final RunningSource running, final String from, final String request) throws IOException
    {
        try (Socket socket = new Socket("127.0.0.1", running.source.port(0), InetAddress.getByName(from), 0))
        {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            final InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void shouldRefuseMalformedRequests() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source -> { }).start())
        {
            assertThat(raw(running, "POST /ticks HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) +
                "\r\n\r\n")).startsWith("HTTP/1.1 431").contains("HTP-0200");
            assertThat(raw(running, "POST /ticks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n" +
                "Transfer-Encoding: chunked\r\n\r\n[]")).startsWith("HTTP/1.1 400");
            assertThat(raw(running, "POST /a/%2e%2e/ticks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n" +
                "Content-Type: application/json\r\nConnection: close\r\n\r\n[]")).startsWith("HTTP/1.1 400");
            assertThat(raw(running, "\u0016\u0003\u0001\u0000\r\n\r\n")).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void shouldEndRequestsWhoseBodyIsSlow() throws Exception
    {
        try (RunningSource running = new RunningSource(receiver, source -> source.setBodyTimeoutMillis(50)).start())
        {
            assertThat(raw(running, "POST /ticks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200\r\n" +
                "Content-Type: application/json\r\n\r\n[")).startsWith("HTTP/1.1 408").contains("HTP-0207");
            running.await("the body to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    @Test
    void shouldCloseConnectionsThatSendNoRequestInTime() throws Exception
    {
        final ServerPool pool = new ServerPool(new ServerLimits(100, TimeUnit.SECONDS.toNanos(2),
            TimeUnit.MILLISECONDS.toNanos(100), 10_000));
        try (RunningSource running = new RunningSource(receiver, pool, null, source -> { }).start())
        {
            assertThat(raw(running, "POST /ticks HTTP/1.1\r\nHost: local")).isEmpty();
            // Also after a response.
            assertThat(raw(running, "POST /ticks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n" +
                "Content-Type: application/json\r\n\r\n[]")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void shouldServeOthersWhileIdleConnectionsFillTheLimit() throws Exception
    {
        final ServerPool pool = new ServerPool(new ServerLimits(4, TimeUnit.SECONDS.toNanos(30),
            TimeUnit.SECONDS.toNanos(30), 10_000));
        final Socket[] idle = new Socket[20];
        try (RunningSource running = new RunningSource(receiver, pool, null, source -> { }).start())
        {
            for (int i = 0; i < idle.length; i++)
            {
                idle[i] = new Socket("127.0.0.1", running.source.port(0));
            }
            // Idle connections may still be accepted, and close the first one.
            running.await("a response", () -> isServed(running));
        }
        finally
        {
            for (final Socket each : idle)
            {
                each.close();
            }
        }
    }

    private static boolean isServed(final RunningSource running)
    {
        try
        {
            return raw(running, "POST /ticks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n" +
                "Content-Type: application/json\r\nConnection: close\r\n\r\n[]").startsWith("HTTP/1.1 200");
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    @Test
    void shouldEncryptRequestsOnSecurePort(@TempDir final Path directory) throws Exception
    {
        final TestCertificate certificate = new TestCertificate(directory, "server", "IP:127.0.0.1");
        try (RunningSource running = new RunningSource(receiver, new ServerPool(ServerLimits.standard(1_024)),
            new PortTls(certificate.trusting(certificate), List.of("TLSv1.3", "TLSv1.2"), List.of(), false),
            source -> { }).start())
        {
            final HttpRequest request = HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + running.source.port(1) + "/ticks"))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(RunningSource.ticks(1, 3))).build();
            assertThat(HttpClient.newBuilder().sslContext(certificate.trusted()).build()
                .send(request, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            assertThat(receiver.ids()).containsExactly(1L, 2L, 3L);
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(SSLHandshakeException.class);
        }
    }
}
