package dev.millrace.command.simulation;

/**
 * Settings of a simulation. Every member has its own source.
 *
 * @param rate           events per second of each source
 * @param ticksPerPacket events per packet of a source
 * @param keys           number of values of the partition expression
 * @param skew           exponent of Zipf's law over keys; 0 = uniform
 * @param partitions     number of partitions
 * @param flushUs        time for which a member batches events for another member
 * @param cores          processors per member
 * @param updates        total changes per second of replicated caches
 * @param groupSize      members per cluster when partitions are assigned to many clusters upstream; 0 = one cluster
 * @param lossAtSec      time at which a member is killed
 * @param seconds        duration
 * @param seed           seed of all random values
 */
public record SimulationSettings(long rate, int ticksPerPacket, int keys, double skew, int partitions, int flushUs,
    double cores, long updates, int groupSize, double lossAtSec, int seconds, long seed)
{
    double flushSec()
    {
        return flushUs / 1e6;
    }

    /** Returns the number of members in a cluster. */
    int clusterOf(final int members)
    {
        return groupSize == 0 ? members : Math.min(groupSize, members);
    }

    /** Whether events arrive at the owner of their partition without a hop. */
    boolean isPartitionedInFront()
    {
        return groupSize > 0;
    }
}
