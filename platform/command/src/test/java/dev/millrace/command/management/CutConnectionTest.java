package dev.millrace.command.management;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The instance ends while a command waits for its response. */
@Timeout(60)
class CutConnectionTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldSayThatAnApplicationMayHaveEndedTheProcessWhenTheConnectionIsCut() throws Exception
    {
        final Path bundle = Files.write(directory.resolve("a.jar"), new byte[100]);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final CompletableFuture<Void> cut = CompletableFuture.runAsync(() -> takeAndCut(server));
            final ManagementClient client = new ManagementClient("http://127.0.0.1:" + server.getLocalPort(), "");

            assertThatThrownBy(() -> client.install(bundle)).isInstanceOf(CommandException.class)
                .hasMessageContaining("CMD-0124").hasMessageContaining("Runtime.halt")
                .hasMessageContaining("logs/server.log");
            cut.join();
        }
    }

    /** Reads the whole request like an instance that starts to execute it, then closes the connection. */
    private static void takeAndCut(final ServerSocket server)
    {
        try (Socket socket = server.accept())
        {
            final byte[] request = new byte[1 << 16];
            int length = 0;
            while (!new String(request, 0, length, StandardCharsets.ISO_8859_1)
                .contains("\r\n\r\n" + "\0".repeat(100)))
            {
                final int read = socket.getInputStream().read(request, length, request.length - length);
                if (read < 0)
                {
                    throw new IOException("the client goes first");
                }
                length += read;
            }
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
