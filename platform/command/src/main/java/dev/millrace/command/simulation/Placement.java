package dev.millrace.command.simulation;

import java.util.BitSet;

/**
 * Distribution of partitions across members, and the resulting shares of events. Arrays are not copied.
 *
 * @param members         number of members
 * @param partitionShares share of events per partition
 * @param memberShares    share of events per member
 * @param owners          member per partition
 */
record Placement(int members, double[] partitionShares, int[] owners, double[] memberShares)
{
    static Placement of(final double[] partitionShares, final int[] owners, final int members)
    {
        final double[] memberShares = new double[members];
        for (int partition = 0; partition < owners.length; partition++)
        {
            memberShares[owners[partition]] += partitionShares[partition];
        }
        return new Placement(members, partitionShares, owners, memberShares);
    }

    /** Returns the placement without one member. */
    Placement without(final int lost, final int groupSize)
    {
        final BitSet gone = new BitSet();
        gone.set(lost);
        final int[] next = owners.clone();
        for (int partition = 0; partition < next.length; partition++)
        {
            if (next[partition] == lost)
            {
                next[partition] = Rendezvous.owner(partition, members, groupSize, gone);
            }
        }
        return of(partitionShares, next, members);
    }

    /** Returns the number of partitions whose owner differs. */
    int moved(final Placement before)
    {
        int moved = 0;
        for (int partition = 0; partition < owners.length; partition++)
        {
            moved += owners[partition] == before.owners[partition] ? 0 : 1;
        }
        return moved;
    }

    int partitionsOf(final int member)
    {
        int count = 0;
        for (final int owner : owners)
        {
            count += owner == member ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of members without a partition, which process only their own source. */
    int idle()
    {
        final BitSet busy = new BitSet();
        for (final int owner : owners)
        {
            busy.set(owner);
        }
        return members - busy.cardinality();
    }

    double topShare()
    {
        double top = 0;
        for (final double share : memberShares)
        {
            top = Math.max(top, share);
        }
        return top;
    }
}
