package dev.millrace.cql.processor.durable;

import dev.millrace.api.time.Clock;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes snapshots at an interval, on its own thread. */
public final class SnapshotTimer
{
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTimer.class);
    private static final long INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final Runnable action;
    private final String processor;
    private final Clock clock;
    private final Thread thread;
    private volatile boolean isStopped;

    /**
     * @param action writes a snapshot
     */
    public SnapshotTimer(final Runnable action, final String processor, final ThreadFactory threads, final Clock clock)
    {
        this.clock = clock;
        this.action = action;
        this.processor = processor;
        thread = threads.newThread(this::run);
        thread.setName(processor + "/snapshots");
    }

    public void start()
    {
        thread.start();
    }

    private void run()
    {
        long nextNs = clock.epochNs() + INTERVAL_NS;
        while (!isStopped)
        {
            LockSupport.parkNanos(this, nextNs - clock.epochNs());
            if (!isStopped && nextNs - clock.epochNs() <= 0)
            {
                snapshot();
                nextNs = clock.epochNs() + INTERVAL_NS;
            }
        }
    }

    /** After a failure the journal keeps its records, and the next snapshot may succeed. */
    private void snapshot()
    {
        try
        {
            action.run();
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
