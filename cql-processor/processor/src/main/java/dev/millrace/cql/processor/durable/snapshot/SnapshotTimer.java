package dev.millrace.cql.processor.durable.snapshot;

import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes snapshots at an interval, on its own thread. */
public final class SnapshotTimer
{
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTimer.class);

    private static final long POLL_NS = TimeUnit.SECONDS.toNanos(1);

    private final BooleanSupplier action;
    private final BooleanSupplier isUrgent;
    private final String processor;
    private final long intervalNs;
    private final Clock clock;
    private final Thread thread;
    private volatile boolean isStopped;

    /**
     * @param action   writes a snapshot; false if the stages below have not stored all output in time
     * @param isUrgent whether one is needed before the interval has passed; asked once per second
     */
    public SnapshotTimer(final BooleanSupplier action, final BooleanSupplier isUrgent, final ProcessorWiring wiring)
    {
        this.isUrgent = isUrgent;
        this.action = action;
        clock = wiring.clock();
        processor = wiring.qualifiedName();
        intervalNs = wiring.storage().settings().snapshotIntervalNs();
        thread = wiring.threads().newThread(this::run);
        thread.setName(processor + "/snapshots");
    }

    public void start()
    {
        thread.start();
    }

    private void run()
    {
        long nextNs = clock.epochNs() + intervalNs;
        while (!isStopped)
        {
            LockSupport.parkNanos(this, Math.min(POLL_NS, nextNs - clock.epochNs()));
            final boolean isDue = nextNs - clock.epochNs() <= 0;
            if (!isStopped && (isDue || isUrgent.getAsBoolean()))
            {
                snapshot(isDue);
                nextNs = clock.epochNs() + intervalNs;
            }
        }
    }

    /** After a failure the journal keeps its records, and the next snapshot may succeed. */
    private void snapshot(final boolean isDue)
    {
        try
        {
            if (!action.getAsBoolean() && isDue && !isStopped)
            {
                LOG.warn("no snapshot was written, because rows are still in the processor, or the stages below have " +
                    "not stored all rows that it emitted; the journal keeps its records until the next one, " +
                    "processor={}", processor);
            }
        }
        catch (final RuntimeException failure)
        {
            LOG.error("a snapshot of the state was not written, processor={}", processor, failure);
        }
    }

    /** Ends the thread; a snapshot in progress is finished. */
    public void stop()
    {
        isStopped = true;
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            LockSupport.unpark(thread);
            try
            {
                thread.join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
