package dev.millrace.network.lane;

import java.util.concurrent.TimeUnit;

/** A point in real time up to which a managing thread waits. Not event time: it passes whatever the clock shows. */
public final class Deadline
{
    private final long atNanoTime;

    private Deadline(final long atNanoTime)
    {
        this.atNanoTime = atNanoTime;
    }

    /**
     * A deadline from now.
     *
     * @param ns how far ahead
     * @return deadline
     */
    public static Deadline afterNs(final long ns)
    {
        return new Deadline(System.nanoTime() + ns);
    }

    /**
     * What is left.
     *
     * @return nanoseconds, 0 when it has passed
     */
    public long remainingNs()
    {
        return Math.max(0, atNanoTime - System.nanoTime());
    }

    /**
     * What is left for calls that take milliseconds and understand 0 as for ever.
     *
     * @return at least 1
     */
    public long remainingMs()
    {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(remainingNs()));
    }

    /**
     * Whether it has passed.
     *
     * @return true when nothing is left
     */
    public boolean hasPassed()
    {
        return remainingNs() == 0;
    }

    /**
     * Waits for a thread to end.
     *
     * @param thread to wait for
     * @return whether it has ended in time
     */
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
