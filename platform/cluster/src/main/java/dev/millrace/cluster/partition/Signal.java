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

    /**
     * Waits for a change after one that was seen, or for some time. A thread that is interrupted waits as long, and is
     * interrupted afterwards: whoever comes back in a loop would else run without a pause.
     */
    synchronized void await(final long seen, final long timeoutMs)
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
