package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.server.ServerLimits;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.http.ChannelAccess;
import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.ChannelTransport;
import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.PortTls;
import dev.millrace.api.secret.NamedSecrets;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A server of channels on a free port, with a sink that publishes ticks to {@code /ticks}. */
final class RunningChannels implements Closeable
{
    static final String SECRET = "0123456789abcdef0123456789abcdef";
    static final NamedSecrets SECRETS = name -> name.equals("unknown") ? null : SECRET + name;

    final ChannelServerPool pool;
    final ChannelSink sink;
    final TestStage stage = new TestStage(TestStage.TICK);
    private final List<Closeable> others = new ArrayList<>();
    private long nextId = 1;

    /**
     * How a server differs from the standard.
     *
     * @param tls of a second port; {@code null} for none
     */
    record Options(ChannelLimits limits, List<ChannelConstraint> constraints, int port, PortTls tls,
        Set<ChannelTransport> transports)
    {
    }

    RunningChannels() throws Exception
    {
        this(ChannelLimits.STANDARD, List.of(), sink -> { });
    }

    RunningChannels(final ChannelLimits limits, final List<ChannelConstraint> constraints,
        final Consumer<ChannelSink> properties) throws Exception
    {
        this(limits, constraints, 0, properties);
    }

    /** @param port 0 for a free one */
    RunningChannels(final ChannelLimits limits, final List<ChannelConstraint> constraints, final int port,
        final Consumer<ChannelSink> properties) throws Exception
    {
        this(new Options(limits, constraints, port, null, EnumSet.allOf(ChannelTransport.class)), properties);
    }

    RunningChannels(final PortTls tls) throws Exception
    {
        this(new Options(ChannelLimits.STANDARD, List.of(), 0, tls, EnumSet.allOf(ChannelTransport.class)),
            sink -> { });
    }

    RunningChannels(final Options options, final Consumer<ChannelSink> properties) throws Exception
    {
        final EventPort plain = new EventPort("events", "127.0.0.1", options.port(), null);
        final EventServer server = new EventServer("Events", options.tls() == null ? List.of(plain) :
            List.of(plain, new EventPort("secure", "127.0.0.1", 0, options.tls())));
        final ChannelServer channels = new ChannelServer("pubsub", "/pubsub", null, options.transports(),
            List.of("/open/**"), options.constraints(), options.limits(),
            new ChannelAccess(Set.of("https://app.example.org"), false, true));
        pool = new ChannelServerPool(() -> List.of(channels), () -> List.of(server), SECRETS,
            new ServerPool(ServerLimits.standard(1_024)));
        sink = new ChannelSink(SECRETS, pool);
        sink.setStageContext(stage);
        sink.setChannel("/ticks");
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
    }

    /** Closes something before the server. */
    <C extends Closeable> C add(final C closeable)
    {
        others.add(closeable);
        return closeable;
    }

    int port()
    {
        return sink.port(0);
    }

    URI uri(final String scheme, final String path)
    {
        final int index = scheme.equals("https") || scheme.equals("wss") ? 1 : 0;
        return URI.create(scheme + "://127.0.0.1:" + sink.port(index) + "/pubsub" + path);
    }

    /** Publishes ticks with consecutive ids. */
    void publish(final int count) throws Exception
    {
        publish(count, "S");
    }

    void publish(final int count, final String symbol) throws Exception
    {
        sink.onBatch(ticks(nextId, count, symbol));
        nextId += count;
    }

    static EventBatch ticks(final long first, final int count, final String symbol)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TestStage.TICK));
        for (int row = 0; row < count; row++)
        {
            batch.longs(0)[row] = first + row;
            batch.texts(1).set(row, symbol);
            batch.doubles(2)[row] = 0.5;
        }
        batch.size(count);
        return batch;
    }

    static String tick(final long id)
    {
        return "{\"id\":" + id + ",\"symbol\":\"S\",\"price\":0.5}";
    }

    Map<String, Object> figures()
    {
        return sink.statistics();
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

    void awaitClients(final int count) throws InterruptedException
    {
        await(count + " clients", () -> figures().get("clients").equals(count) &&
            figures().get("subscribers").equals(count));
    }

    void awaitSubscribers(final int count) throws InterruptedException
    {
        await(count + " subscribers", () -> figures().get("subscribers").equals(count));
    }

    @Override
    public void close() throws IOException
    {
        for (final Closeable other : others)
        {
            other.close();
        }
        sink.destroy();
    }
}
