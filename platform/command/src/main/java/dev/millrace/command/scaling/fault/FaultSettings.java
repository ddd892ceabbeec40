package dev.millrace.command.scaling.fault;

import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.scaling.fleet.RunEnvironment;
import dev.millrace.command.scaling.fleet.ScalingSettings;
import java.util.List;

/**
 * Settings of a fault benchmark.
 *
 * @param instances     server instances, with one generator each
 * @param faults        faults, in this order
 * @param connections   connections of each generator
 * @param eventsPerSec  events per second of all connections of an instance
 * @param beforeSeconds load before one instance is killed; 0 for a default that depends on the number of instances
 * @param pauseSeconds  duration of a pause
 * @param keep          whether directories are kept
 */
public record FaultSettings(int instances, List<Fault> faults, int connections, long eventsPerSec, int beforeSeconds,
    int pauseSeconds, boolean keep)
{
    private static final int TICKS_PER_PACKET = 10;

    /** Generators do not start at the same time, and their start may be delayed. */
    private static final double LEAST_BEFORE_SECONDS = 3;
    private static final double SETTLING_SECONDS = 1.5;

    public FaultSettings
    {
        faults = List.copyOf(faults);
    }

    LoadProfile feed(final int seconds)
    {
        return new LoadProfile(connections, eventsPerSec, TICKS_PER_PACKET, seconds, 0, false, 0,
            LoadProfile.haveRoom(instances));
    }

    /** Returns the seconds of load before one instance is killed. */
    double secondsBeforeKill()
    {
        return beforeSeconds > 0 ? beforeSeconds : LEAST_BEFORE_SECONDS + SETTLING_SECONDS * instances;
    }

    /** Returns the settings of the instances only. */
    ScalingSettings fleet()
    {
        return new ScalingSettings(instances, List.of(), TICKS_PER_PACKET, 1, 1, RunEnvironment.USUAL, keep);
    }
}
