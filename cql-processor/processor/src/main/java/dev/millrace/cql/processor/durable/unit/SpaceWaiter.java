package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.journal.JournalException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the threads of a processor wait while their journals have no space, so that sources wait, too, and no row is
 * lost. The application is degraded in the meantime. Thread-safe.
 */
public final class SpaceWaiter
{
    private static final long POLL_NS = 20_000_000;

    private final boolean waits;
    private final StageConditions conditions;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean isStopped;
    private volatile boolean hasRejected;

    /**
     * @param waits false if rows are rejected instead
     */
    public SpaceWaiter(final boolean waits, final StageConditions conditions)
    {
        this.waits = waits;
        this.conditions = conditions;
    }

    /** Whether to wait after a failure to append a record. */
    boolean waitsAfter(final JournalException failure)
    {
        hasRejected |= waits && failure.isFull() && isStopped;
        return waits && failure.isFull() && !isStopped;
    }

    /**
     * Whether rows were rejected because the processor stops. Then all that follow are rejected, too, even if there is
     * space again: sources send the rejected ones after the next start, and would be too late.
     */
    boolean hasRejected()
    {
        return hasRejected;
    }

    /**
     * Appends a record as soon as there is space.
     *
     * @param append throws the failure while there is no space
     * @param first  failure of the first attempt
     * @throws JournalException if the processor stops, or the journal fails
     */
    void await(final Runnable append, final JournalException first)
    {
        waiting.incrementAndGet();
        try
        {
            JournalException full = first;
            while (full != null)
            {
                conditions.raise(ProcessorErrorCode.NOT_JOURNALED, "sources wait for space: " + full.getMessage());
                LockSupport.parkNanos(this, POLL_NS);
                if (isStopped || Thread.currentThread().isInterrupted())
                {
                    hasRejected |= isStopped;
                    throw full;
                }
                full = appended(append);
            }
        }
        finally
        {
            if (waiting.decrementAndGet() == 0)
            {
                conditions.clear(ProcessorErrorCode.NOT_JOURNALED);
            }
        }
    }

    private static JournalException appended(final Runnable append)
    {
        try
        {
            append.run();
            return null;
        }
        catch (final JournalException failure)
        {
            if (!failure.isFull())
            {
                throw failure;
            }
            return failure;
        }
    }

    public boolean isWaiting()
    {
        return waiting.get() > 0;
    }

    /** Waiting rows, and all that find no space from now on, are rejected: the processor stops. */
    public void stop()
    {
        isStopped = true;
    }
}
