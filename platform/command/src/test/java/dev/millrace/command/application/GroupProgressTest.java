package dev.millrace.command.application;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.command.management.ManagementClient;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Output of a command while it waits for a group. */
@Tag("slow")
@Timeout(180)
class GroupProgressTest
{
    private static final String MEMBER = "{\"serverName\":\"%s\",\"answer\":\"%s\"}";

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** Passes on lines as they are written. */
    private final class Lines extends Writer
    {
        private final StringBuilder written = new StringBuilder();

        @Override
        public void write(final char[] text, final int offset, final int length)
        {
            written.append(text, offset, length);
        }

        @Override
        public void flush()
        {
            lines.addAll(written.toString().lines().toList());
            written.setLength(0);
        }

        @Override
        public void close()
        {
            flush();
        }
    }

    @Test
    void shouldNameThoseWhoHaveNotAnswered() throws Exception
    {
        final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        final BlockingQueue<String> paths = new LinkedBlockingQueue<>();
        server.createContext("/", exchange ->
        {
            paths.add(exchange.getRequestURI().toString());
            final byte[] body = ("{\"members\":[" + MEMBER.formatted("server1", "DONE") + ',' +
                MEMBER.formatted("server2", "NONE") + ',' + MEMBER.formatted("server3", "NONE") + "]}")
                .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try (GroupProgress progress = new GroupProgress(
            new ManagementClient("http://127.0.0.1:" + server.getAddress().getPort(), "").group("all"), "my.app",
            new PrintWriter(new Lines())))
        {
            progress.begin();
            assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("waiting for server2, server3, 2 s");
            assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("waiting for server2, server3, 4 s");
            assertThat(paths.poll()).isEqualTo("/wlevs/apps/my.app/progress");
        }
        finally
        {
            server.stop(0);
        }
    }
}
