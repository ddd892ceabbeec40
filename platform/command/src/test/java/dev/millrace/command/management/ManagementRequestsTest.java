package dev.millrace.command.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests to an instance that answers unusually. */
@Timeout(60)
class ManagementRequestsTest
{
    private static final int LARGE_BYTES = 8 << 20;

    private static final String UNAUTHORIZED = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 61\r\n" +
        "Connection: close\r\n\r\n" +
        "{\"problems\":[{\"code\":\"SRV-0401\",\"message\":\"wrong password\"}]}";

    @TempDir
    private Path directory;

    @Test
    void shouldShowTheRejectionOfALargeFileThatTheInstanceDoesNotRead() throws Exception
    {
        final Path bundle = Files.write(directory.resolve("a.jar"), new byte[LARGE_BYTES]);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final CompletableFuture<String> heads = answer(server, UNAUTHORIZED, UNAUTHORIZED);

            assertThatThrownBy(() -> client(server).install(bundle)).isInstanceOf(CommandException.class)
                .hasMessageContaining("SRV-0401");
            assertThat(heads.join()).contains("Expect: 100-continue", "X-File-Name: a.jar",
                "Content-Length: " + LARGE_BYTES);
        }
    }

    @Test
    void shouldRejectAResponseThatEndsTooEarly() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            answer(server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[]");

            assertThatThrownBy(() -> client(server).applications()).isInstanceOf(CommandException.class)
                .hasMessageContaining("CMD-0124")
                // Later versions of Java find it before the command does.
                .hasMessageFindingMatch("2 of 10 bytes|Premature EOF");
        }
    }

    @Test
    void shouldNotFollowARedirectionToAnotherHost() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            answer(server, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:" +
                other.getLocalPort() + "/\r\n\r\n");

            assertThatThrownBy(() -> client(server).applications()).isInstanceOf(CommandException.class)
                .hasMessageContaining("CMD-0123").hasMessageContaining("status=302");
        }
    }

    @Test
    void shouldGiveUpWhenNoResponseArrivesInTime() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            assertThatThrownBy(() -> client(server).within(Duration.ofMillis(50)).applications())
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("CMD-0120").hasMessageContaining("timed out");
        }
    }

    @Test
    void shouldSendNothingWhenTheThreadWasInterrupted() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> client(server).applications()).isInstanceOf(InterruptedException.class);
        }
    }

    private static ManagementClient client(final ServerSocket server)
    {
        return new ManagementClient("http://127.0.0.1:" + server.getLocalPort(), "");
    }

    /** Answers one request on each connection, after its head; returns the heads. */
    private static CompletableFuture<String> answer(final ServerSocket server, final String... responses)
    {
        return CompletableFuture.supplyAsync(() ->
        {
            final StringBuilder heads = new StringBuilder();
            for (final String response : responses)
            {
                try (Socket socket = server.accept())
                {
                    readHead(socket, heads);
                    socket.getOutputStream().write(response.getBytes(StandardCharsets.ISO_8859_1));
                }
                catch (final IOException e)
                {
                    throw new IllegalStateException(e);
                }
            }
            return heads.toString();
        });
    }

    private static void readHead(final Socket socket, final StringBuilder heads) throws IOException
    {
        final BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine())
        {
            heads.append(line).append('\n');
        }
    }
}
