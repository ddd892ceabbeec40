package dev.millrace.network.channel;

import dev.millrace.api.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of one system-timestamped channel: the clock's, pushed forward where needed so that no two rows of the
 * channel have one time. Safe for all lanes: one compare-and-set a batch.
 */
final class SystemTime
{
    private final Clock clock;
    private final AtomicLong lastNs = new AtomicLong(Long.MIN_VALUE);

    SystemTime(final Clock clock)
    {
        this.clock = clock;
    }

    /**
     * Takes a range of times that nobody had before.
     *
     * @param rows how many, at least 1
     * @return the first; the others follow it in steps of 1 ns
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

    /**
     * The time of a heartbeat: every row stamped from now on is later.
     *
     * @return nanoseconds
     */
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
