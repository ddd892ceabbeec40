package dev.millrace.cql.replay.run;

import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;

/** The time of rows, or the time of the system: decided when the channels of the application are known. Thread-safe. */
final class RunClock implements Clock
{
    private final ManualClock virtual = new ManualClock(0);
    private volatile Clock current = Clock.SYSTEM;

    /** Shows the time of rows from now on, beginning with 0; before the application starts. */
    ManualClock useRows()
    {
        current = virtual;
        return virtual;
    }

    @Override
    public long epochNs()
    {
        return current.epochNs();
    }
}
