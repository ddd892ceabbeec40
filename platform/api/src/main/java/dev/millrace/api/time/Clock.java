package dev.millrace.api.time;

/**
 * The one source of time of a network: nanoseconds since 1970-01-01T00:00:00Z that never go backwards.
 *
 * <p>Safe for all threads. A reading costs about 20 ns, so read it once a batch and never once an event.
 */
@FunctionalInterface
public interface Clock
{
    /** The clock of the machine: the wall clock at class initialisation, advanced by the monotonic counter. */
    Clock SYSTEM = new SystemClock();

    /**
     * The current time.
     *
     * @return nanoseconds since the epoch, never smaller than an earlier reading of this clock
     */
    long epochNs();
}
