package dev.millrace.cluster.partition;

import dev.millrace.network.partition.PartitionHash;
import java.nio.charset.StandardCharsets;

/**
 * A member that owns partitions.
 *
 * @param name of the server; determines the assigned partitions, so a member that rejoins gets the same ones
 * @param stay incarnation of the channel on this member
 */
record Owner(String name, String stay)
{
    long weight(final int partition, final long nameHash)
    {
        return PartitionHash.mix(nameHash ^ PartitionHash.mix(partition));
    }

    long nameHash()
    {
        return PartitionHash.hash(name.getBytes(StandardCharsets.UTF_8));
    }
}
