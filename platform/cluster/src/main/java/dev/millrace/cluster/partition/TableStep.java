package dev.millrace.cluster.partition;

import dev.millrace.network.partition.PartitionHash;
import java.util.List;

/**
 * Who owns the partitions in one epoch. Immutable.
 *
 * @param epoch  greater than that of each table before
 * @param owners by name in order; may be empty
 */
record TableStep(long epoch, List<Owner> owners)
{
    TableStep
    {
        owners = List.copyOf(owners);
    }

    /**
     * The owner of each partition, by the highest of the weights that all owners have for it: when one comes or goes,
     * only partitions of its own move. All members find the same.
     *
     * @return index in {@link #owners}; -1 when there is none
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
