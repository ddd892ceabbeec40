package dev.millrace.command.simulation;

import java.util.BitSet;

/**
 * Assigns each partition to the member with the highest hash of both, so that a loss moves only the partitions of the
 * lost member (rendezvous hashing). Not thread-safe.
 */
final class Rendezvous
{
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Rendezvous()
    {
    }

    /** Returns the owner of each partition. */
    static int[] owners(final int partitions, final int members, final int groupSize)
    {
        final BitSet none = new BitSet();
        final int[] owners = new int[partitions];
        for (int partition = 0; partition < partitions; partition++)
        {
            owners[partition] = owner(partition, members, groupSize, none);
        }
        return owners;
    }

    /** Returns the owner of one partition among the remaining members; with groups, the group is chosen first. */
    static int owner(final int partition, final int members, final int groupSize, final BitSet lost)
    {
        if (groupSize == 0 || groupSize >= members)
        {
            return best(partition, 0, members, lost);
        }
        final int groups = (members + groupSize - 1) / groupSize;
        final int group = best(~partition, 0, groups, new BitSet());
        return best(partition, group * groupSize, Math.min(members, (group + 1) * groupSize), lost);
    }

    private static int best(final int partition, final int from, final int to, final BitSet lost)
    {
        final long seed = mix(partition * GOLDEN);
        int best = -1;
        long bestHash = 0;
        for (int member = from; member < to; member++)
        {
            final long hash = mix(seed ^ mix(member + GOLDEN));
            if (!lost.get(member) && (best < 0 || Long.compareUnsigned(hash, bestHash) > 0))
            {
                best = member;
                bestHash = hash;
            }
        }
        return best;
    }

    /** Mixes the bits, so that each bit of the result depends on each bit of the value. */
    static long mix(final long value)
    {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
