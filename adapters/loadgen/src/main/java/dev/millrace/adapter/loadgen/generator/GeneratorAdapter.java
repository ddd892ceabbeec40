package dev.millrace.adapter.loadgen.generator;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Source of generated events: the same values for the same seed, at a rate. GENERATOR.md describes its properties.
 *
 * <p>Threads: events are confined to the thread that calls {@link #run}; life-cycle calls come from the managing thread
 * and set a flag. Failure: deployment fails if a property is wrong or does not match the event type. A full channel
 * blocks the thread, and the events that became due are sent afterwards.
 */
public final class GeneratorAdapter implements Adapter, EventBatchSource, StageContextAware, InitializingBean,
    ActivatableBean, RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    private static final double MAX_RATE = 1e9;
    private static final int MAX_BURST = 1_000_000;
    /** Maximum time of a sleep, after which the clock is read again, because it need not be that of the machine. */
    private static final long MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private String eventTypeName;
    private String columns;
    private double rate;
    private long count;
    private long seed = 1;
    private int burst = 1;
    private StageContext context;
    private EventBatchSender sender;
    private List<ColumnSpec> specs;
    private volatile Thread thread;
    private volatile boolean isSuspended;
    private volatile long generated;
    private volatile long behindNs;
    /** Confined to the thread that runs, like all that follows. */
    private List<ColumnGenerator> generators;
    private EventBatch batch;

    /** The event type. Optional: the channel after the adapter specifies it too, and both must be equal. */
    public void setEventTypeName(final String name)
    {
        eventTypeName = name;
    }

    /** The functions of columns, separated by semicolons; default: by the types of the properties. */
    public void setColumns(final String text)
    {
        columns = text;
    }

    /** Events per second; default 0 = as fast as the channel accepts them, which requires a count. */
    public void setRate(final double eventsPerSecond)
    {
        rate = eventsPerSecond;
    }

    /** The number of events; default 0 = no end. */
    public void setCount(final long events)
    {
        count = events;
    }

    /** The seed of random values; default 1. */
    public void setSeed(final long number)
    {
        seed = number;
    }

    /** The number of events that are due at the same time; default 1. */
    public void setBurst(final int events)
    {
        burst = events;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    @Override
    public void afterPropertiesSet()
    {
        check("rate", rate >= 0 && rate <= MAX_RATE, rate, "use 0 to 1000000000");
        check("count", count >= 0, count, "use 0 for no end, or the number of events");
        check("burst", burst >= 1 && burst <= MAX_BURST, burst, "use 1 to " + MAX_BURST);
        check("rate", rate > 0 || count > 0, rate, "set rate, or count for events as fast as possible");
        try
        {
            specs = ColumnSpecParser.parse(columns);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("LDG-0301 an instance property of the generator is invalid, stage=" +
                stageId() + " name=columns reason=" + e.getMessage() +
                "; write NAME = FUNCTION(ARGUMENTS) for each column, separated by semicolons", e);
        }
        if (eventTypeName != null && context != null)
        {
            final EventType type = context.eventTypes().eventType(eventTypeName);
            if (type == null)
            {
                throw wrongType(context.eventTypes().eventTypes().stream().map(EventType::name).toList().toString());
            }
            create(type);
        }
    }

    private void check(final String name, final boolean isRight, final Object value, final String next)
    {
        if (!isRight)
        {
            throw new IllegalArgumentException("LDG-0301 an instance property of the generator is invalid, stage=" +
                stageId() + " name=" + name + " value=" + value + "; " + next);
        }
    }

    private List<ColumnGenerator> create(final EventType type)
    {
        try
        {
            return ColumnGenerators.of(type, specs, seed);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException("LDG-0302 a column cannot be generated, stage=" + stageId() + " " +
                e.getMessage() + "; correct columns", e);
        }
    }

    private IllegalArgumentException wrongType(final String known)
    {
        return new IllegalArgumentException("LDG-0303 the event type of the generator is unknown or not that of the " +
            "channel, stage=" + stageId() + " eventTypeName=" + eventTypeName + " known=" + known +
            "; correct eventTypeName, or leave it out");
    }

    /** Compares the columns with the event type of the channel. */
    @Override
    public void afterConfigurationActive()
    {
        if (sender == null)
        {
            return;
        }
        final EventType type = sender.schema().type();
        if (eventTypeName != null && !eventTypeName.equals(type.name()))
        {
            throw wrongType(type.name());
        }
        create(type);
    }

    @Override
    public void run()
    {
        if (sender == null)
        {
            throw new IllegalStateException("LDG-0304 the generator has no listener, stage=" + stageId() +
                "; add one, usually a channel");
        }
        thread = Thread.currentThread();
        if (batch == null)
        {
            generators = create(sender.schema().type());
            batch = new EventBatch(sender.schema());
        }
        final Clock clock = context == null ? Clock.SYSTEM : context.clock();
        // What was not sent while the application was suspended is not sent at once.
        final EventSchedule schedule = new EventSchedule(clock.epochNs(), generated, rate, burst);
        while (!isSuspended && !isFinished(generated))
        {
            final long nowNs = clock.epochNs();
            final long restNs = schedule.dueNs(generated) - nowNs;
            behindNs = rate == 0 ? 0 : Math.max(0, -restNs);
            if (restNs > 0)
            {
                LockSupport.parkNanos(this, Math.min(restNs, MAX_SLEEP_NS));
            }
            else
            {
                send(schedule, nowNs);
            }
        }
        behindNs = 0;
    }

    private boolean isFinished(final long event)
    {
        return count > 0 && event >= count;
    }

    /** Sends the events that are due, at most a batch. */
    private void send(final EventSchedule schedule, final long nowNs)
    {
        final long first = generated;
        batch.clear();
        final long[] originsNs = batch.useOrigins();
        int row = 0;
        long dueNs = rate == 0 ? nowNs : schedule.dueNs(first);
        while (row < EventBatch.CAPACITY && dueNs <= nowNs && !isFinished(first + row))
        {
            for (final ColumnGenerator each : generators)
            {
                each.fill(batch, row, dueNs);
            }
            originsNs[row++] = dueNs;
            dueNs = rate == 0 ? nowNs : schedule.dueNs(first + row);
        }
        batch.size(row);
        sender.send(batch);
        generated = first + row;
    }

    @Override
    public void suspend()
    {
        isSuspended = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void beforeResume()
    {
        isSuspended = false;
    }

    @Override
    public void destroy()
    {
        suspend();
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("generated", generated);
        figures.put("behindMillis", TimeUnit.NANOSECONDS.toMillis(behindNs));
        figures.put("finished", isFinished(generated));
        return figures;
    }

    private String stageId()
    {
        return context == null ? "unknown" : context.stageId();
    }
}
