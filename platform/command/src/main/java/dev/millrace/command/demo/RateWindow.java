package dev.millrace.command.demo;

import java.util.concurrent.TimeUnit;

/**
 * How long a counter grew: from the first look at which it had begun to grow to the first at which it had reached its
 * end.
 */
final class RateWindow
{
    private final long before;
    private long firstNs;
    private long lastCount;
    private long lastNs;

    RateWindow(final long before)
    {
        this.before = before;
        this.lastCount = before;
    }

    void sample(final long count, final long nowNs)
    {
        if (count == lastCount)
        {
            return;
        }
        if (lastCount == before)
        {
            firstNs = nowNs;
        }
        lastCount = count;
        lastNs = nowNs;
    }

    /**
     * The rate over the whole run.
     *
     * @param sendingSeconds how long the sender took; the receiver cannot have been done before it
     */
    double perSec(final double sendingSeconds)
    {
        final double growing = (lastNs - firstNs) / (double)TimeUnit.SECONDS.toNanos(1);
        return (lastCount - before) / Math.max(growing, sendingSeconds);
    }
}
