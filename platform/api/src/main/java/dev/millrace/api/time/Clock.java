package dev.millrace.api.time;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The single source of time of a network: nanoseconds since 1970-01-01T00:00:00Z that never go backwards.
 *
 * <p>Thread-safe. A reading costs about 20 ns, so read it once per batch and never once per event.
 */
@FunctionalInterface
public interface Clock
{
    /** The clock of the machine: the wall clock at class initialization, advanced by the monotonic counter. */
    Clock SYSTEM = system();

    /**
     * Returns the current time.
     *
     * @return nanoseconds since the epoch, never smaller than an earlier reading of this clock
     */
    long epochNs();

    /** Wall clock at start plus monotonic progress: a step of the machine's clock never affects event times. */
    private static Clock system()
    {
        final Instant now = Instant.now();
        final long offsetNs = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
        return () -> offsetNs + System.nanoTime();
    }
}
