package dev.millrace.api.time;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that is advanced explicitly; for tests, replay and simulation. Thread-safe. */
public final class ManualClock implements Clock
{
    private final AtomicLong nowNs;

    /**
     * Creates a clock that shows a given time.
     *
     * @param startNs first reading, nanoseconds since the epoch
     */
    public ManualClock(final long startNs)
    {
        nowNs = new AtomicLong(startNs);
    }

    @Override
    public long epochNs()
    {
        return nowNs.get();
    }

    /**
     * Advances the clock.
     *
     * @param deltaNs how far, at least 0
     * @throws IllegalArgumentException when {@code deltaNs} is negative
     */
    public void advance(final long deltaNs)
    {
        if (deltaNs < 0)
        {
            throw new IllegalArgumentException("a clock never goes backwards, deltaNs=" + deltaNs);
        }
        nowNs.addAndGet(deltaNs);
    }
}
