package dev.millrace.cluster.partition;

import dev.millrace.network.partition.PartitionHash;
import java.util.List;

/**
 * The partition assignment of one epoch. Immutable.
 *
 * @param epoch  greater than all previous epochs
 * @param owners sorted by name; may be empty
 */
record PartitionAssignment(long epoch, List<Owner> owners)
{
    PartitionAssignment
    {
        owners = List.copyOf(owners);
    }

    /**
     * Computes the owner of each partition by rendezvous hashing: the owner with the highest weight wins, so when a
     * member joins or leaves, only its own partitions move. All members compute the same result.
     *
     * @return index in {@link #owners}; -1 when there are no owners
     */
    short[] ownerOf()
    {
        final short[] ownerOf = new short[PartitionHash.PARTITIONS];
        final long[] hashes = owners.stream().mapToLong(Owner::nameHash).toArray();
        for (int partition = 0; partition < ownerOf.length; partition++)
        {
            short best = -1;
            long most = 0;
            for (short i = 0; i < hashes.length; i++)
            {
                final long weight = owners.get(i).weight(partition, hashes[i]);
                if (best < 0 || weight > most)
                {
                    best = i;
                    most = weight;
                }
            }
            ownerOf[partition] = best;
        }
        return ownerOf;
    }

    int indexOf(final String stay)
    {
        for (int i = 0; i < owners.size(); i++)
        {
            if (owners.get(i).stay().equals(stay))
            {
                return i;
            }
        }
        return -1;
    }
}
