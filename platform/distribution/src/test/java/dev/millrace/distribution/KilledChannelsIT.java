package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Channels of a server that is killed: rows pass from a WebSocket client through {@code httpsub} and {@code httppub} to
 * server-sent events, and by Bayeux back to the same server; clients that connect again learn that messages may be
 * missing.
 */
@Timeout(600)
class KilledChannelsIT
{
    private static final String APPLICATION = "com.example.channels";
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Order"><wlevs:properties>
              <wlevs:property name="id" type="bigint"/><wlevs:property name="shop" type="char"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="orders" provider="httpsub"><wlevs:listener ref="ordersIn"/></wlevs:adapter>
          <wlevs:channel id="ordersIn" event-type="Order"><wlevs:listener ref="publisher"/></wlevs:channel>
          <wlevs:adapter id="publisher" provider="httppub"/>
          <wlevs:adapter id="remote" provider="httpsub">
            <wlevs:listener ref="remoteIn"/>
            <wlevs:instance-property name="maxRetryMillis" value="200"/>
          </wlevs:adapter>
          <wlevs:channel id="remoteIn" event-type="Order"><wlevs:listener ref="archive"/></wlevs:channel>
          <wlevs:adapter id="archive" provider="csv-outbound">
            <wlevs:instance-property name="file" value="var/archive/orders.csv"/>
          </wlevs:adapter>
        </beans>""";
    private static final String CONFIGURATION = """
        <wlevs:config xmlns:wlevs="http://www.bea.com/ns/wlevs/config/application">
          <http-pub-sub-adapter><name>orders</name><server-context-path>/pubsub</server-context-path>
            <channel>/orders/in</channel><event-type>Order</event-type></http-pub-sub-adapter>
          <http-pub-sub-adapter><name>publisher</name><channel>/orders/out</channel></http-pub-sub-adapter>
          <http-pub-sub-adapter><name>remote</name><server-url>http://127.0.0.1:%d/pubsub</server-url>
            <channel>/orders/out</channel></http-pub-sub-adapter>
        </wlevs:config>""";

    @TempDir
    private Path directory;

    private Path application(final int port) throws IOException
    {
        return new TestBundle(APPLICATION, ASSEMBLY).configuration(CONFIGURATION.formatted(port)).write(directory);
    }

    /** Server-sent events of a channel. */
    private static final class Events
    {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<?> end;

        Events(final int port, final String lastId)
        {
            final HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/pubsub/sse/orders/out"))
                    .header("Last-Event-ID", lastId).build();
            end = HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofLines())
                .thenAccept(response -> response.body().forEach(lines::add));
        }

        /** Waits until the client has the head of the response. */
        Events open() throws Exception
        {
            Product.await("head of the response", 60, () -> lines.contains(":"));
            return this;
        }

        String data(final String id)
        {
            return lines.stream().filter(line -> line.contains("\"id\":" + id + ",")).findFirst().orElse(null);
        }

        String lastId()
        {
            return lines.stream().filter(line -> line.startsWith("id: ")).reduce((before, line) -> line)
                .orElseThrow().substring(4);
        }
    }

    private static void publish(final int port, final String id)
    {
        final WebSocket socket = HttpClient.newHttpClient().newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/pubsub/ws/orders/in"), new WebSocket.Listener()
            {
            }).join();
        socket.sendText("{\"id\":" + id + ",\"shop\":\"A\"}", true).join();
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    @Test
    void shouldServeChannelsAgainAfterTheServerIsKilled() throws Exception
    {
        final int port = FreePorts.range(1);
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed"),
            config -> config.replace("</n1:config>", "<netio><name>events</name><port>" + port + "</port></netio>" +
                "<jetty><name>Events</name><purpose>events</purpose><network-io-name>events</network-io-name></jetty>" +
                "</n1:config>")))
        {
            instance.client.install(application(port));
            final Path archive = instance.domain.directory().resolve("var/archive/orders.csv");
            awaitConnected(instance);
            final Events before = new Events(port, "none-1").open();
            publish(port, "1");
            Product.await("row 1", 60, () -> before.data("1") != null && contains(archive, "1,A"));
            assertThat(before.lines).contains("event: gap");

            instance.kill();
            before.end.exceptionally(cut -> null).get(60, TimeUnit.SECONDS);
            instance.start();

            awaitConnected(instance);
            final Events after = new Events(port, before.lastId()).open();
            publish(port, "2");
            Product.await("row 2", 60, () -> after.data("2") != null && contains(archive, "2,A"));
            assertThat(after.lines).contains("event: gap", "data: {\"missing\":null}");
            assertThat(after.data("1")).isNull();
        }
    }

    private static boolean contains(final Path archive, final String line)
    {
        return Product.lines(archive, ".*").contains(line);
    }

    /** Waits until both sources have subscribed. */
    private static void awaitConnected(final RunningInstance instance) throws Exception
    {
        Product.await("subscriptions of the sources", 60, () ->
            statistics(instance).replaceAll("\\s", "").split("\"connected\":true", -1).length == 3);
    }

    private static String statistics(final RunningInstance instance)
    {
        try
        {
            return instance.app("statistics", APPLICATION, "--format", "json").output();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
