package dev.millrace.cql.processor.worker;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the threads of several sources run operators that need the rows of all of them: a thread that arrives with rows
 * runs them immediately. If another thread is running, the arriving thread leaves its rows in its ring, and they are
 * processed with all other rows queued there. Small batches thus become larger under load, no row is copied
 * unnecessarily, and no thread needs to be woken up.
 *
 * <p>Threads: any number of sources, as {@link Worker} specifies. A thread that has worked long for others hands over
 * to one of them.
 */
final class CallerRunsWorker extends Worker
{
    /** Number of batches of others that a thread processes before it looks for a successor. */
    private static final int MOST_PASSES = 16;
    private static final int TAKE_OVER_TRIES = 50;
    private static final long POLL_NS = 100_000;

    /** Whether the running thread wants to return to its own source. */
    private volatile boolean isTired;

    @Override
    boolean enter(final long expectedNs)
    {
        return claim();
    }

    @Override
    boolean isTimed()
    {
        return false;
    }

    @Override
    void leave()
    {
        boolean isMine = true;
        try
        {
            for (int passes = 0; isMine; passes++)
            {
                free();
                isMine = false;
                if (passes >= MOST_PASSES)
                {
                    isTired = true;
                    Thread.yield();
                }
                isMine = hasWork() && claim();
                if (isMine)
                {
                    work();
                }
            }
            isTired = false;
        }
        finally
        {
            if (isMine)
            {
                // An internal error is passed to the source; the others continue.
                free();
            }
        }
    }

    @Override
    void help()
    {
        wake();
    }

    @Override
    void wake()
    {
        // The thread that acts as the worker reads the rings again when it is finished: rows must be visible before
        // that read.
        VarHandle.fullFence();
        boolean isMine = claim();
        for (int tries = 0; !isMine && isTired && tries < TAKE_OVER_TRIES; tries++)
        {
            Thread.onSpinWait();
            isMine = claim();
        }
        if (isMine)
        {
            workAndLeave();
        }
    }

    private void workAndLeave()
    {
        try
        {
            work();
        }
        finally
        {
            leave();
        }
    }

    @Override
    public void stop()
    {
        wake();
    }

    @Override
    public boolean awaitEnd(final long deadlineNs)
    {
        boolean isInterrupted = false;
        boolean isMine = claim();
        while (!isMine && deadlineNs - System.nanoTime() > 0)
        {
            // A thread with a pending interrupt cannot wait.
            isInterrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, POLL_NS);
            isMine = claim();
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        if (!isMine)
        {
            // The running thread ends it when it returns.
            abandon();
            return false;
        }
        try
        {
            while (work())
            {
                // One batch after the other.
            }
            end();
        }
        finally
        {
            leave();
        }
        return true;
    }

    @Override
    public String name()
    {
        return "source";
    }
}
