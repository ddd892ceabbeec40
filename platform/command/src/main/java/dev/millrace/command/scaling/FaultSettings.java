package dev.millrace.command.scaling;

import dev.millrace.command.demo.Feed;
import java.util.List;

/**
 * What is done to how many.
 *
 * @param instances     server instances, a generator each
 * @param faults        in this order
 * @param connections   of each generator
 * @param eventsPerSec  offered to an instance over all its connections
 * @param beforeSeconds how long all are under load before one is killed; 0 for as long as they take to settle
 * @param pauseSeconds  how long one is stopped
 * @param keep          whether directories stay
 */
public record FaultSettings(int instances, List<Fault> faults, int connections, long eventsPerSec, int beforeSeconds,
    int pauseSeconds, boolean keep)
{
    private static final int TICKS_PER_PACKET = 10;

    /** Generators do not begin at one moment, and it may take longer than it should. */
    private static final double LEAST_BEFORE_SECONDS = 3;
    private static final double SETTLING_SECONDS = 1.5;

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

    /** How long all are under load before one is killed. */
    double secondsBeforeKill()
    {
        return beforeSeconds > 0 ? beforeSeconds : LEAST_BEFORE_SECONDS + SETTLING_SECONDS * instances;
    }

    /** The instances alone. */
    ScalingSettings fleet()
    {
        return new ScalingSettings(instances, List.of(), TICKS_PER_PACKET, 1, 1, Surroundings.USUAL, keep);
    }
}
