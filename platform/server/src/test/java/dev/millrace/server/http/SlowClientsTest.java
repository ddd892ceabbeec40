package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.millrace.api.process.FileHandles;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.audit.AuditLog;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.TestInstance;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Connections with incomplete requests occupy no thread and are closed in time. */
@Tag("slow")
@Timeout(120)
class SlowClientsTest
{
    private static final int IDLE = 64;

    private static final int EACH_KIND = 16;

    private static final int ROUNDS = 5;

    private static final long SHORT_MS = 300;

    private static final long LONG_MS = 60_000;

    @TempDir
    private Path directory;

    private final List<Socket> held = new ArrayList<>();

    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    @AfterEach
    void close() throws IOException
    {
        for (final Socket socket : held)
        {
            socket.close();
        }
        workers.shutdownNow();
    }

    private Socket hold(final int port, final String beginning) throws IOException
    {
        final Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        held.add(socket);
        return socket;
    }

    /**
     * The same requests are made with and without the held connections, because the machine may be busy; only the
     * difference is checked. One round without a difference is sufficient: occupied threads or connections would be
     * missing in every round.
     */
    @Test
    void shouldDelayNobodyByMoreThanASecondWhile64IdleAnd64HalfOpenConnectionsAreHeld() throws Exception
    {
        try (TestInstance instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX))
        {
            worstWait(instance, "warm-up");
            final List<Duration> added = new ArrayList<>();
            while (added.isEmpty() || added.get(added.size() - 1).compareTo(Duration.ofSeconds(1)) > 0)
            {
                assertThat(added).as("what held connections add to the worst wait").hasSizeLessThan(ROUNDS);
                final String round = "round" + added.size();
                final Duration without = worstWait(instance, round + "alone");
                holdAll(instance);
                final Duration with = worstWait(instance, round + "beside");
                closeAll(instance);
                System.out.println("worst wait: alone " + without.toMillis() + " ms, beside 128 held connections "
                    + with.toMillis() + " ms");
                added.add(with.minus(without));
            }
        }
    }

    private void holdAll(final TestInstance instance) throws Exception
    {
        final int port = URI.create(instance.url()).getPort();
        final String right = "Authorization: Bearer " + instance.token() + "\r\n";
        final String head = "POST /wlevs/apps HTTP/1.1\r\nHost: localhost\r\n";
        for (int i = 0; i < IDLE; i++)
        {
            hold(port, "");
        }
        for (int i = 0; i < EACH_KIND; i++)
        {
            hold(port, head);
            hold(port, head + right);
            hold(port, head + "Content-Length: 1000\r\n\r\nhalf");
            hold(port, head + right + "Content-Length: 1000\r\n\r\nhalf");
        }
        instance.await("all are held", () -> connections(instance) > IDLE + 4 * EACH_KIND);
    }

    private void closeAll(final TestInstance instance) throws Exception
    {
        for (final Socket socket : held)
        {
            socket.close();
        }
        held.clear();
        instance.await("all are closed", () -> connections(instance) < EACH_KIND);
    }

    /**
     * Returns the longest wait of deployments and queries, few enough to complete before the held connections reach
     * their time limit.
     */
    private static Duration worstWait(final TestInstance instance, final String name) throws Exception
    {
        Duration worst = Duration.ZERO;
        for (int i = 0; i < 4; i++)
        {
            final String application = name + i;
            worst = max(worst, timed(() ->
                assertThat(instance.deploy(Apps.ticking(application)).status()).isEqualTo(201)));
            worst = max(worst, timed(() -> assertThat(connections(instance)).isPositive()));
        }
        return worst;
    }

    private static int connections(final TestInstance instance)
    {
        try
        {
            return instance.request("GET", "/wlevs/server", new byte[0]).body().getAsJsonObject()
                .getAsJsonObject("http").get("connections").getAsInt();
        }
        catch (final IOException | InterruptedException e)
        {
            throw new AssertionError("endpoint does not answer", e);
        }
    }

    /** A step that may fail. */
    private interface Step
    {
        void run() throws Exception;
    }

    private static Duration timed(final Step step) throws Exception
    {
        final long startNs = System.nanoTime();
        step.run();
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    private static Duration max(final Duration one, final Duration other)
    {
        return one.compareTo(other) > 0 ? one : other;
    }

    private ManagementEndpoint open(final EndpointLimits limits) throws Exception
    {
        return ManagementEndpoint.open(new NetworkAddress("NetIO", "127.0.0.1", 0, SourcePosition.NONE),
            null, directory, workers, null, AuditLog.open(directory.resolve("logs")), limits);
    }

    /** Limits of time for a head and for a body; one is short, the other as long as a pause of a busy machine. */
    private static EndpointLimits limits(final long headTimeoutMs, final long bodyGraceMs)
    {
        return new EndpointLimits(16, 16, TimeUnit.MILLISECONDS.toNanos(headTimeoutMs),
            TimeUnit.MILLISECONDS.toNanos(bodyGraceMs), 1 << 20, 1 << 20);
    }

    @Test
    void shouldEndAHeadThatTricklesInWhenItsTimeIsUp() throws Exception
    {
        try (ManagementEndpoint endpoint = open(limits(SHORT_MS, LONG_MS)))
        {
            final Socket slow = hold(endpoint.port(), "GET /wlevs/server HTTP/1.1\r\nHost: localhost\r\nX: ");

            trickle(slow);

            assertThat(endpoint.figures()).containsEntry("closedForLateHead", 1L)
                .containsEntry("closedForSlowBody", 0L);
        }
    }

    @Test
    void shouldEndABodyThatTricklesInWhenItIsTooSlow() throws Exception
    {
        try (ManagementEndpoint endpoint = open(limits(LONG_MS, SHORT_MS)))
        {
            final String token = Files.readString(directory.resolve("var/admin.token"));
            final Socket slow = hold(endpoint.port(), "POST /wlevs/apps HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer " + token
                + "\r\nContent-Length: 99999\r\n\r\n");

            trickle(slow);

            assertThat(endpoint.figures()).containsEntry("closedForSlowBody", 1L)
                .containsEntry("closedForLateHead", 0L);
        }
    }

    @Test
    void shouldLogNoStackWhenItEndsAHalfArrivedBody() throws Exception
    {
        final List<String> stacks = Collections.synchronizedList(new ArrayList<>());
        final AppenderBase<ILoggingEvent> ear = new AppenderBase<>()
        {
            @Override
            protected void append(final ILoggingEvent event)
            {
                if (event.getThrowableProxy() != null)
                {
                    stacks.add(event.getFormattedMessage() + ": " + event.getThrowableProxy().getMessage());
                }
            }
        };
        final Logger root = (Logger)LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        ear.start();
        root.addAppender(ear);
        try
        {
            try (ManagementEndpoint endpoint = open(limits(LONG_MS, SHORT_MS)))
            {
                final String token = Files.readString(directory.resolve("var/admin.token"));
                final Socket slow = hold(endpoint.port(), "POST /wlevs/apps HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer " + token + "\r\nContent-Length: 1000\r\n\r\nhalf");
                assertThat(slow.getInputStream().read()).isEqualTo(-1);
                assertThat(endpoint.figures()).containsEntry("closedForSlowBody", 1L);
            }
            // The endpoint has ended its threads, so that all log lines are written.
            assertThat(stacks).isEmpty();
        }
        finally
        {
            root.detachAppender(ear);
        }
    }

    /** Writes a byte at intervals until the other side has closed; each byte would restart an idle timeout. */
    private static void trickle(final Socket socket) throws Exception
    {
        final OutputStream out = socket.getOutputStream();
        socket.setSoTimeout(20);
        while (true)
        {
            try
            {
                out.write('x');
                if (socket.getInputStream().read() < 0)
                {
                    return;
                }
            }
            catch (final SocketTimeoutException e)
            {
                // Still open.
            }
            catch (final SocketException e)
            {
                // Reset, because bytes were in flight.
                return;
            }
        }
    }

    @Test
    void shouldCloseTheOldestWithoutCredentialsWhenThereAreTooMany() throws Exception
    {
        final EndpointLimits some = EndpointLimits.of(16);
        // No time limit closes one of them.
        final EndpointLimits limits = new EndpointLimits(some.connections(), some.unknownPerPeer(),
            TimeUnit.MILLISECONDS.toNanos(LONG_MS), some.bodyGraceNs(), some.bodyRateBytesPerSec(), some.uploadBytes());
        try (ManagementEndpoint endpoint = open(limits))
        {
            final Socket first = hold(endpoint.port(), "");
            for (int i = 0; i < 40; i++)
            {
                hold(endpoint.port(), "");
            }

            assertThat(first.getInputStream().read()).isEqualTo(-1);
            final Socket good = hold(endpoint.port(), "GET /wlevs/none HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer " + Files.readString(directory.resolve("var/admin.token"))
                + "\r\nConnection: close\r\n\r\n");
            assertThat(new String(good.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 404").contains("SRV-0404");
            // Several threads open connections: the answered one may be ahead of the last ones without credentials.
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while ((Long)endpoint.figures().get("closedForPeerLimit") < 28)
            {
                assertThat(System.nanoTime()).as(endpoint.figures().toString()).isLessThan(endNs);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            final Map<String, Object> figures = endpoint.figures();
            // 12 without credentials, and the one that was answered, whose close the endpoint may not have seen yet.
            assertThat((Integer)figures.get("connections")).isLessThanOrEqualTo(13);
        }
    }

    @Test
    void shouldTakeFewerConnectionsWhenTheProcessMayHaveFewFiles()
    {
        assertThat(EndpointLimits.standard(128).connections()).isEqualTo(8);
        assertThat(EndpointLimits.standard(512).connections()).isEqualTo(104);
        assertThat(EndpointLimits.standard(FileHandles.UNLIMITED).connections()).isEqualTo(256);
    }

    @Test
    void shouldAnswerInJsonWhenBytesAreNoRequest() throws Exception
    {
        try (ManagementEndpoint endpoint = open(EndpointLimits.standard(FileHandles.UNLIMITED)))
        {
            for (final String bytes : List.of("\u0016\u0003\u0001\u0002 hello\r\n\r\n",
                "GET /wlevs/server HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(EndpointLimits.MAX_HEAD_BYTES) + "\r\n\r\n"))
            {
                final Socket socket = hold(endpoint.port(), bytes);
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .as(bytes.substring(0, Math.min(bytes.length(), 80)))
                    .matches("(?s)HTTP/1.1 (400|431|505) .*\"code\":\"SRV-0400\".*");
            }
        }
    }
}
