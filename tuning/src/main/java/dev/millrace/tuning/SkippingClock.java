package dev.millrace.tuning;

import dev.millrace.api.time.Clock;

/**
 * The clock of the machine, which a benchmark may set forward: a pause of seconds in event time then takes as long as
 * it needs to. Read by any thread, set by one.
 */
final class SkippingClock implements Clock
{
    private volatile long skippedNs;

    @Override
    public long epochNs()
    {
        return Clock.SYSTEM.epochNs() + skippedNs;
    }

    /** Sets the clock forward. */
    void skip(final long ns)
    {
        if (ns < 0)
        {
            throw new IllegalArgumentException("a clock never goes backwards, ns=" + ns);
        }
        skippedNs += ns;
    }
}
