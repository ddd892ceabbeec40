package dev.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.loadgen.LoadgenAdapter;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A real socket adapter on a loopback port, which can be stopped and started again. */
final class RunningSource implements AutoCloseable
{
    static final EventType TICK = EventType.tuple("StockTick",
        new EventProperty("symbol", CqlType.CHAR, 16), new EventProperty("lastPrice", CqlType.DOUBLE));

    static final EventType ALL = EventType.tuple("All",
        new EventProperty("text", CqlType.CHAR, 255), new EventProperty("longText", CqlType.CHAR, 4_096),
        new EventProperty("whole", CqlType.INT), new EventProperty("big", CqlType.BIGINT),
        new EventProperty("small", CqlType.FLOAT), new EventProperty("number", CqlType.DOUBLE),
        new EventProperty("flag", CqlType.BOOLEAN), new EventProperty("moment", CqlType.TIMESTAMP));

    final StoredRows rows;
    private final EventType type;
    private final Consumer<LoadgenAdapter> properties;
    private LoadgenAdapter adapter;
    private Thread runner;
    private int port;

    RunningSource(final EventType type, final boolean isDurable, final Consumer<LoadgenAdapter> properties)
        throws IOException
    {
        this.type = type;
        this.properties = properties;
        rows = new StoredRows(type, isDurable);
        start();
    }

    private record Context(EventType type) implements StageContext
    {
        @Override
        public Clock clock()
        {
            return Clock.SYSTEM;
        }

        @Override
        public String applicationName()
        {
            return "test";
        }

        @Override
        public String stageId()
        {
            return "in";
        }

        @Override
        public EventTypeRepository eventTypes()
        {
            return new EventTypeRepository()
            {
                @Override
                public EventType eventType(final String name)
                {
                    return type.name().equals(name) ? type : null;
                }

                @Override
                public Collection<EventType> eventTypes()
                {
                    return List.of(type);
                }
            };
        }
    }

    /** Starts the adapter, after {@link #stop} on the same port. */
    void start() throws IOException
    {
        adapter = new LoadgenAdapter();
        adapter.setPort(port);
        adapter.setTimesyncPort(0);
        adapter.setStageContext(new Context(type));
        adapter.setBatchSender(rows);
        properties.accept(adapter);
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
        port = adapter.boundPort();
        runner = new Thread(adapter, "adapter");
        runner.start();
    }

    int port()
    {
        return port;
    }

    /** Closes the port and all connections. */
    void stop() throws IOException
    {
        try
        {
            adapter.destroy();
            runner.join(TimeUnit.SECONDS.toMillis(60));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        assertThat(runner.isAlive()).isFalse();
    }

    /** Keeps connections open without reading, or reads again. */
    void suspend() throws InterruptedException
    {
        adapter.suspend();
        runner.join(TimeUnit.SECONDS.toMillis(60));
    }

    void resume()
    {
        adapter.beforeResume();
        runner = new Thread(adapter, "adapter");
        runner.start();
    }

    long statistic(final String name)
    {
        return ((Number)adapter.statistics().get(name)).longValue();
    }

    static void await(final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("condition came true in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException
    {
        stop();
    }
}
