package dev.millrace.api.time;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Wall clock at start plus monotonic progress: a step of the machine's clock never affects event times. */
final class SystemClock implements Clock
{
    private final long offsetNs;

    SystemClock()
    {
        final Instant now = Instant.now();
        offsetNs = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    }

    @Override
    public long epochNs()
    {
        return offsetNs + System.nanoTime();
    }
}
