package dev.millrace.tuning.harness;

import dev.millrace.api.time.Clock;

/**
 * The system clock, which a benchmark may set forward, so that a pause of seconds in event time takes only the
 * necessary time. Read by any thread, set by one.
 */
public final class SkippingClock implements Clock
{
    private volatile long skippedNs;

    @Override
    public long epochNs()
    {
        return Clock.SYSTEM.epochNs() + skippedNs;
    }

    public void skip(final long ns)
    {
        if (ns < 0)
        {
            throw new IllegalArgumentException("a clock never goes backwards, ns=" + ns);
        }
        skippedNs += ns;
    }
}
