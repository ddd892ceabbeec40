package dev.millrace.cluster.cache;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How often messages go out: at once as long as they are few, so that a change is seen soon; at most so many a second
 * when there is no end to them, so that what comes meanwhile travels together. A message costs each side some ten
 * microseconds of processor time, a change in it one. For one thread.
 */
final class Pace
{
    private static final int AT_ONCE = 200;
    private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final LongSupplier clockNs;
    private long spentUntilNs;

    Pace(final LongSupplier clockNs)
    {
        this.clockNs = clockNs;
        spentUntilNs = clockNs.getAsLong() - AT_ONCE * EVERY_NS;
    }

    /** Whether a message may go now; it then counts. */
    boolean take()
    {
        final long nowNs = clockNs.getAsLong();
        if (spentUntilNs + EVERY_NS > nowNs)
        {
            return false;
        }
        spentUntilNs = Math.max(spentUntilNs, nowNs - AT_ONCE * EVERY_NS) + EVERY_NS;
        return true;
    }
}
