package dev.millrace.command.scaling;

import java.util.List;

/**
 * What is measured.
 *
 * @param instances      server instances, a generator each
 * @param steps          rows of the table, in this order
 * @param ticksPerPacket rows a packet
 * @param seconds        length of what is measured, a row
 * @param warmUpSeconds  length of what goes before, a row
 * @param surroundings   processors and Java options
 * @param keep           whether directories stay
 */
public record ScalingSettings(int instances, List<Step> steps, int ticksPerPacket, int seconds, int warmUpSeconds,
    Surroundings surroundings, boolean keep)
{
    /** Copies the list. */
    public ScalingSettings
    {
        steps = List.copyOf(steps);
    }

    /**
     * The load of one row of the table.
     *
     * @param connections  of a generator
     * @param eventsPerSec offered to an instance over all its connections
     */
    public record Step(int connections, long eventsPerSec)
    {
    }

    /**
     * How long the measuring takes, without starting and stopping.
     *
     * @return seconds, about
     */
    public int totalSeconds()
    {
        return steps.size() * (warmUpSeconds + seconds + slackSeconds());
    }

    /** How much longer generators send than what is measured, since they do not begin at one moment. */
    int slackSeconds()
    {
        return 4 + instances;
    }
}
