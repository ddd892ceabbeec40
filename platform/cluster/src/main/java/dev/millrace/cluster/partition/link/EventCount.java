package dev.millrace.cluster.partition.link;

import java.util.concurrent.TimeUnit;

/** Counts changes, so that a thread that checks, finds no work, and waits cannot miss one. Thread-safe. */
public final class EventCount
{
    private volatile long count;

    public long count()
    {
        return count;
    }

    public synchronized void raise()
    {
        count++;
        notifyAll();
    }

    /**
     * Waits for a change after a known count, or until the timeout. An interrupted thread waits for the same time and
     * is interrupted afterwards: otherwise a caller in a loop would spin.
     */
    public synchronized void await(final long seen, final long timeoutMs)
    {
        boolean isInterrupted = Thread.interrupted();
        while (count == seen)
        {
            try
            {
                TimeUnit.MILLISECONDS.timedWait(this, Math.max(1, timeoutMs));
                break;
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
