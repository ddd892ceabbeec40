package dev.millrace.cql.processor;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the threads of several sources run what needs rows of them all: the thread that comes with rows runs them at
 * once. While another one does so, it leaves them in its ring, and they are run with what else waits there; so small
 * batches become greater ones under load, no row is copied without need, and nobody is woken up.
 *
 * <p>Threads: any number of sources, as {@link Worker} says. A thread that has worked long for others lets them take
 * over.
 */
final class TurnWorker extends Worker
{
    /** Batches of others that a thread runs before it looks for one that takes over. */
    private static final int MOST_PASSES = 16;
    private static final int TAKE_OVER_TRIES = 50;
    private static final long POLL_NS = 100_000;

    /** Whether the thread at work would rather go back to its own. */
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
                // A bug of ours goes to the source; others go on.
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
        // Who is at work looks at the rings when it no longer is: rows must be there before the look at it.
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
    void stop()
    {
        wake();
    }

    @Override
    boolean awaitEnd(final long deadlineNs)
    {
        boolean isInterrupted = false;
        boolean isMine = claim();
        while (!isMine && deadlineNs - System.nanoTime() > 0)
        {
            // Nobody who has an interrupt can wait.
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
            // Whoever is at work ends it when it comes back.
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
    String name()
    {
        return "source";
    }
}
