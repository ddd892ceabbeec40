package dev.millrace.command.demo;

import java.util.concurrent.TimeUnit;

/**
 * The rate at which a counter grows, from the first look at which it had begun to grow to the last at which it still
 * grew, so that neither the start of the generator nor its end count.
 */
final class RateWindow
{
    /** A shorter window says nothing. */
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final long before;
    private long firstCount = -1;
    private long firstNs;
    private long lastCount;
    private long lastNs;

    RateWindow(final long before)
    {
        this.before = before;
    }

    void sample(final long count, final long nowNs)
    {
        if (count == before || count == lastCount)
        {
            return;
        }
        if (firstCount < 0)
        {
            firstCount = count;
            firstNs = nowNs;
        }
        lastCount = count;
        lastNs = nowNs;
    }

    double perSec(final double otherwise)
    {
        final long elapsedNs = lastNs - firstNs;
        return elapsedNs < SHORTEST_NS ? otherwise :
            (lastCount - firstCount) * (double)TimeUnit.SECONDS.toNanos(1) / elapsedNs;
    }
}
