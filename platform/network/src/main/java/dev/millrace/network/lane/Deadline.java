package dev.millrace.network.lane;

import java.util.concurrent.TimeUnit;

/** A point in real time up to which a managing thread waits. Independent of event time and of the network's clock. */
public final class Deadline
{
    private final long atNanoTime;

    private Deadline(final long atNanoTime)
    {
        this.atNanoTime = atNanoTime;
    }

    public static Deadline afterNs(final long ns)
    {
        return new Deadline(System.nanoTime() + ns);
    }

    /** Remaining time in nanoseconds, 0 when it has passed. */
    public long remainingNs()
    {
        return Math.max(0, atNanoTime - System.nanoTime());
    }

    /**
     * Remaining time for calls that take milliseconds and treat 0 as forever.
     *
     * @return at least 1
     */
    public long remainingMs()
    {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(remainingNs()));
    }

    public boolean hasPassed()
    {
        return remainingNs() == 0;
    }

    /** Waits for a thread to end; returns whether it has ended in time. */
    public boolean join(final Thread thread)
    {
        boolean interrupted = false;
        while (thread.isAlive() && !hasPassed())
        {
            try
            {
                thread.join(remainingMs());
            }
            catch (final InterruptedException e)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
