package dev.millrace.adapter.common.source;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A point in real time until which a thread waits for another one or for the other side; a clock that tests stop would
 * make it wait forever. Immutable.
 */
public final class Deadline
{
    private final long endNs;

    private Deadline(final long endNs)
    {
        this.endNs = endNs;
    }

    /** A deadline after a time from now. */
    public static Deadline afterNs(final long ns)
    {
        return new Deadline(System.nanoTime() + ns);
    }

    /** A deadline after a time from now. */
    public static Deadline afterMillis(final long millis)
    {
        return afterNs(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** The time that is left, at most 0 if it has passed. */
    public long remainingNs()
    {
        return endNs - System.nanoTime();
    }

    /** Whether it has passed. */
    public boolean hasPassed()
    {
        return remainingNs() <= 0;
    }

    /**
     * Sleeps until it passes, or until the condition holds after the thread was unparked or interrupted.
     *
     * @param isOver checked after each sleep
     */
    public void sleepUnless(final BooleanSupplier isOver)
    {
        while (!hasPassed() && !isOver.getAsBoolean())
        {
            LockSupport.parkNanos(this, Math.max(1, remainingNs()));
        }
    }
}
