package dev.millrace.adapter.loadgen.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A generator with its thread, and what it has sent. */
final class RunningGenerator implements EventBatchSender, StageContext, AutoCloseable
{
    final GeneratorAdapter adapter = new GeneratorAdapter();
    private final EventType type;
    private final Clock clock;
    private final List<List<Object>> rows = new ArrayList<>();
    private final List<Long> originsNs = new ArrayList<>();
    private Thread thread;

    RunningGenerator(final EventType type, final Clock clock, final Consumer<GeneratorAdapter> properties)
    {
        this.type = type;
        this.clock = clock;
        adapter.setStageContext(this);
        adapter.setBatchSender(this);
        properties.accept(adapter);
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
    }

    RunningGenerator start()
    {
        thread = new Thread(adapter, "generator");
        thread.start();
        return this;
    }

    /** Whether the thread waits to send, because the caller holds the monitor of this object. */
    boolean isBlocked()
    {
        return thread.getState() == Thread.State.BLOCKED;
    }

    void join() throws InterruptedException
    {
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).isFalse();
    }

    static void await(final BooleanSupplier condition)
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("condition came true in time").isLessThan(endNs);
            Thread.onSpinWait();
        }
    }

    synchronized List<List<Object>> rows()
    {
        return List.copyOf(rows);
    }

    synchronized List<Object> column(final int index)
    {
        final List<Object> values = new ArrayList<>();
        rows.forEach(row -> values.add(row.get(index)));
        return values;
    }

    synchronized List<Long> originsNs()
    {
        return List.copyOf(originsNs);
    }

    @Override
    public BatchSchema schema()
    {
        return new BatchSchema(type);
    }

    @Override
    public synchronized void send(final EventBatch batch)
    {
        assertThat(batch.size()).isPositive();
        for (int row = 0; row < batch.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < type.properties().size(); column++)
            {
                values.add(batch.value(column, row));
            }
            rows.add(values);
            originsNs.add(batch.originsNs()[row]);
        }
    }

    @Override
    public void reject(final int count, final String reason, final String detail)
    {
        throw new AssertionError(reason + ": " + detail);
    }

    @Override
    public EventBatchSender another()
    {
        return this;
    }

    @Override
    public String applicationName()
    {
        return "app";
    }

    @Override
    public String stageId()
    {
        return "made";
    }

    @Override
    public Clock clock()
    {
        return clock;
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

    @Override
    public void close()
    {
        adapter.destroy();
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
    }
}
