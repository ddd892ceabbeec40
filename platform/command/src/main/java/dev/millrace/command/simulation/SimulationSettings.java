package dev.millrace.command.simulation;

/**
 * What is simulated. Every member has a source of its own.
 *
 * @param rate           events a second of each source
 * @param ticksPerPacket events a packet of a source
 * @param keys           different values of the partition expression
 * @param skew           exponent of Zipf's law over keys; 0 = all alike
 * @param partitions     into which the keys fall
 * @param flushUs        how long a member gathers events for another one
 * @param cores          processors of a member
 * @param updates        changes a second of caches that all members have, over all
 * @param groupSize      members of a cluster when partitions are dealt out in front of many clusters; 0 = one cluster
 * @param lossAtSec      when a member is killed
 * @param seconds        length
 * @param seed           of all that is random
 */
public record SimulationSettings(long rate, int ticksPerPacket, int keys, double skew, int partitions, int flushUs,
    double cores, long updates, int groupSize, double lossAtSec, int seconds, long seed)
{
    double flushSec()
    {
        return flushUs / 1e6;
    }

    /** How many know each other when there are so many in all. */
    int clusterOf(final int members)
    {
        return groupSize == 0 ? members : Math.min(groupSize, members);
    }

    /** Whether events come to the owner of their partition without a hop. */
    boolean isPartitionedInFront()
    {
        return groupSize > 0;
    }
}
