package dev.millrace.command.scaling;

import dev.millrace.command.demo.Feed;
import java.util.List;

/**
 * What is done to how many.
 *
 * @param instances    server instances, a generator each
 * @param faults       in this order
 * @param connections  of each generator
 * @param eventsPerSec offered to an instance over all its connections
 * @param pauseSeconds how long one is stopped
 * @param keep         whether directories stay
 */
public record FaultSettings(int instances, List<Fault> faults, int connections, long eventsPerSec, int pauseSeconds,
    boolean keep)
{
    private static final int TICKS_PER_PACKET = 10;

    /** Copies the list. */
    public FaultSettings
    {
        faults = List.copyOf(faults);
    }

    Feed feed(final int seconds)
    {
        return new Feed(connections, eventsPerSec, TICKS_PER_PACKET, seconds, 0, false, 0,
            Feed.haveRoom(instances));
    }

    /** The instances alone. */
    ScalingSettings fleet()
    {
        return new ScalingSettings(instances, List.of(), TICKS_PER_PACKET, 1, 1, Surroundings.USUAL, keep);
    }
}
