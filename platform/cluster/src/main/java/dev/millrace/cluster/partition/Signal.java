package dev.millrace.cluster.partition;

import java.util.concurrent.TimeUnit;

/** Counts changes, so that whoever looks, finds nothing to do and waits misses none. Safe for all threads. */
final class Signal
{
    private volatile long count;

    long count()
    {
        return count;
    }

    synchronized void raise()
    {
        count++;
        notifyAll();
    }

    /** Waits for a change after one that was seen, or for some time. */
    synchronized void await(final long seen, final long timeoutMs)
    {
        boolean isInterrupted = false;
        final long steps = Math.max(1, timeoutMs);
        if (count == seen)
        {
            try
            {
                TimeUnit.MILLISECONDS.timedWait(this, steps);
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
