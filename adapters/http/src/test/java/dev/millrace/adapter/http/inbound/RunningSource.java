package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.server.ServerLimits;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.PortTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A source with its thread on a real server, and a client. */
final class RunningSource implements AutoCloseable
{
    static final String TOKEN = "0123456789abcdef0123456789abcdef";
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    final RestSource source;
    final TestStage stage = new TestStage(TestStage.TICK);
    final Receiver receiver;
    private Thread thread;

    RunningSource(final Receiver receiver, final Consumer<RestSource> properties) throws IOException
    {
        this(receiver, new ServerPool(ServerLimits.standard(1_024)), null, properties);
    }

    /** @param tls of a second port; {@code null} for none */
    RunningSource(final Receiver receiver, final ServerPool pool, final PortTls tls,
        final Consumer<RestSource> properties) throws IOException
    {
        this.receiver = receiver;
        final EventPort plain = new EventPort("events", "127.0.0.1", 0, null);
        final EventServer server = new EventServer("Events", tls == null ? List.of(plain) :
            List.of(plain, new EventPort("secure", "127.0.0.1", 0, tls)));
        source = new RestSource(() -> List.of(server), name -> name.startsWith("client") ? TOKEN + name : null, pool);
        source.setStageContext(stage);
        source.setContextPath("/ticks");
        source.setBatchSender(receiver);
        properties.accept(source);
        source.afterPropertiesSet();
        source.afterConfigurationActive();
    }

    /** Starts the thread; returns when the source accepts requests, or has ended. */
    RunningSource start()
    {
        thread = new Thread(() ->
        {
            try
            {
                source.run();
            }
            catch (final Receiver.Killed e)
            {
                // As after kill -9: nothing else happens.
            }
        }, "source");
        thread.setUncaughtExceptionHandler((failed, e) -> stage.raised.put("thread", e.toString()));
        thread.start();
        while (thread.isAlive() && !source.isAccepting())
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return this;
    }

    HttpRequest.Builder request(final String type)
    {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + source.port(0) + "/ticks"))
            .timeout(Duration.ofSeconds(60)).header("Content-Type", type);
    }

    HttpResponse<String> post(final String type, final String body) throws IOException, InterruptedException
    {
        return send(request(type).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    HttpResponse<String> postJson(final String body) throws IOException, InterruptedException
    {
        return post("application/json", body);
    }

    HttpResponse<String> postWithKey(final String key, final String body) throws IOException, InterruptedException
    {
        return send(request("application/x-ndjson").header("Idempotency-Key", key)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static HttpResponse<String> send(final HttpRequest.Builder request) throws IOException, InterruptedException
    {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Ticks with consecutive ids, one on each line. */
    static String ticks(final long first, final int count)
    {
        final StringBuilder lines = new StringBuilder();
        for (long id = first; id < first + count; id++)
        {
            lines.append("{\"id\":").append(id).append(",\"symbol\":\"S\",\"price\":").append(id / 4.0).append("}\n");
        }
        return lines.toString();
    }

    Map<String, Object> figures()
    {
        return source.statistics();
    }

    void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("%s, statistics: %s", what, figures()).isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    void join() throws InterruptedException
    {
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).as("statistics: %s", figures()).isFalse();
    }

    void suspend() throws InterruptedException
    {
        source.suspend();
        join();
    }

    @Override
    public void close()
    {
        receiver.gate.countDown();
        source.suspend();
        try
        {
            if (thread != null)
            {
                join();
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            source.destroy();
        }
    }
}
