package dev.millrace.cluster.partition;

import dev.millrace.network.partition.PartitionHash;
import java.nio.charset.StandardCharsets;

/**
 * A member that owns partitions.
 *
 * @param name of the server; decides which partitions it owns, so that one that comes back gets the same
 * @param stay of the channel on it, from its joining to its leaving
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
