package dev.millrace.adapter.loadgen.generator;

import java.util.concurrent.TimeUnit;

/**
 * The due times of events at a constant rate, in bursts. Due times do not depend on when earlier events were sent, so
 * that a blocked channel delays events and does not change their due times. Immutable.
 *
 * @param startNs        due time of the first burst
 * @param first          number of the event that is due then
 * @param rate           events per second; 0 = all events are due immediately
 * @param eventsPerBurst number of events with the same due time
 */
record EventSchedule(long startNs, long first, double rate, int eventsPerBurst)
{
    /**
     * Due time of an event.
     *
     * @param event number, at least {@code first}
     */
    long dueNs(final long event)
    {
        if (rate == 0)
        {
            return startNs;
        }
        final long earlier = (event - first) / eventsPerBurst * eventsPerBurst;
        return startNs + Math.round(earlier / rate * TimeUnit.SECONDS.toNanos(1));
    }
}
