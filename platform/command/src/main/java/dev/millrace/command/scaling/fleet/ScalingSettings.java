package dev.millrace.command.scaling.fleet;

import java.util.List;

/**
 * Settings of a study.
 *
 * @param instances      server instances, with one generator each
 * @param steps          rows of the table, in this order
 * @param ticksPerPacket rows per packet
 * @param seconds        measured time per row
 * @param warmUpSeconds  warm-up time per row
 * @param surroundings   processors and JVM options
 * @param keep           whether directories are kept
 */
public record ScalingSettings(int instances, List<Step> steps, int ticksPerPacket, int seconds, int warmUpSeconds,
    RunEnvironment surroundings, boolean keep)
{
    public ScalingSettings
    {
        steps = List.copyOf(steps);
    }

    /**
     * The load of one row of the table.
     *
     * @param connections  connections of a generator
     * @param eventsPerSec events per second of all connections of an instance
     */
    public record Step(int connections, long eventsPerSec)
    {
    }

    /** Returns the approximate duration of all measurements in seconds, without starting and stopping. */
    public int totalSeconds()
    {
        return steps.size() * (warmUpSeconds + seconds + slackSeconds());
    }

    /** Returns the additional time that generators send, because they do not start at the same time. */
    public int slackSeconds()
    {
        return 4 + instances;
    }
}
