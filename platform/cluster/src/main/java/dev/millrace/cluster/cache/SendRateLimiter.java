package dev.millrace.cluster.cache;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the rate of messages. While messages are rare, they are sent immediately, so that changes are visible soon.
 * Under continuous load, the rate is bounded, so that several changes share a message: a message costs each side about
 * ten microseconds of processor time, a change in it one. Not thread-safe.
 */
final class SendRateLimiter
{
    private static final int AT_ONCE = 200;
    private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final LongSupplier clockNs;
    private long spentUntilNs;

    SendRateLimiter(final LongSupplier clockNs)
    {
        this.clockNs = clockNs;
        spentUntilNs = clockNs.getAsLong() - AT_ONCE * EVERY_NS;
    }

    /** Whether a message may be sent now; if so, it is counted. */
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
