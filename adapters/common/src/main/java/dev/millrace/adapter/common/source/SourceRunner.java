package dev.millrace.adapter.common.source;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the loop of a source and ends it: by a request first, and by closing its connection if it does not respond.
 *
 * <p>Threads: {@link #run} is called on the thread of the source, the other methods on the managing thread.
 */
public final class SourceRunner
{
    /** The loop of a source. */
    public interface Loop extends Runnable
    {
        /** Asks the loop to end soon. Thread-safe. */
        void stop();

        /** Interrupts what the loop waits for, usually by closing its connection. Thread-safe. */
        void abort();
    }

    private static final long ABORT_AFTER_MS = 2_000;
    private static final long GIVE_UP_MS = 8_000;

    private final ReentrantLock running = new ReentrantLock();

    /** Runs the loop until it ends, after a previous one has ended. */
    public void run(final Runnable loop)
    {
        running.lock();
        try
        {
            loop.run();
        }
        finally
        {
            running.unlock();
        }
    }

    /**
     * Asks the loop to end, and aborts it if it is still running after 2 s.
     *
     * @param loop {@code null} before the source has one: nothing happens
     */
    public void stop(final Loop loop) throws InterruptedException
    {
        if (loop == null)
        {
            return;
        }
        loop.stop();
        if (!hasEnded(ABORT_AFTER_MS))
        {
            loop.abort();
        }
    }

    /** Waits up to 8 s for the end of the loop; returns whether it has ended. */
    public boolean awaitEnd() throws InterruptedException
    {
        return hasEnded(GIVE_UP_MS);
    }

    private boolean hasEnded(final long waitMs) throws InterruptedException
    {
        if (!running.tryLock(waitMs, TimeUnit.MILLISECONDS))
        {
            return false;
        }
        running.unlock();
        return true;
    }
}
