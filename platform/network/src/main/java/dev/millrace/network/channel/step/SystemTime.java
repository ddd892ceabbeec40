package dev.millrace.network.channel.step;

import dev.millrace.api.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of one system-timestamped channel: that of the clock, advanced where needed so that no two rows of the
 * channel have the same time. Thread-safe: one compare-and-set per batch.
 */
public final class SystemTime
{
    private final Clock clock;
    private final AtomicLong lastNs = new AtomicLong(Long.MIN_VALUE);

    public SystemTime(final Clock clock)
    {
        this.clock = clock;
    }

    /**
     * Reserves a range of times.
     *
     * @param rows how many, at least 1
     * @return the first time; the others follow in steps of 1 ns
     */
    long stamp(final int rows)
    {
        final long nowNs = clock.epochNs();
        while (true)
        {
            final long last = lastNs.get();
            final long base = Math.max(nowNs, last + 1);
            if (lastNs.compareAndSet(last, base + rows - 1))
            {
                return base;
            }
        }
    }

    /** The time of a heartbeat, in nanoseconds: every row stamped from now on is later. */
    long heartbeat()
    {
        final long nowNs = clock.epochNs();
        while (true)
        {
            final long last = lastNs.get();
            final long at = Math.max(nowNs, last);
            if (lastNs.compareAndSet(last, at))
            {
                return at;
            }
        }
    }
}
