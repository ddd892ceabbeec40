package dev.millrace.command.demo;

import java.util.concurrent.TimeUnit;

/**
 * Measures how long a counter grew: from the first sample with an increase to the first sample with the final value.
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
     * Returns the rate of the whole run.
     *
     * @param sendingSeconds duration of the sender; the receiver cannot finish earlier
     */
    double perSec(final double sendingSeconds)
    {
        final double growing = (lastNs - firstNs) / (double)TimeUnit.SECONDS.toNanos(1);
        return (lastCount - before) / Math.max(growing, sendingSeconds);
    }
}
