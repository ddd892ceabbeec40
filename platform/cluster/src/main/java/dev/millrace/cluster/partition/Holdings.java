package dev.millrace.cluster.partition;

import dev.millrace.network.partition.PartitionHash;
import java.util.BitSet;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that this member has, and what the stages below may still know of those that it has had. For the
 * thread of the channel; figures for all.
 */
final class Holdings
{
    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

    private final ChannelMember channel;
    private final PartitionHandover handover;
    private final BooleanSupplier quiet;
    private final BitSet everOwned = new BitSet(PartitionHash.PARTITIONS);
    /** Partitions of which the stages below may still know something. */
    private final BitSet known = new BitSet(PartitionHash.PARTITIONS);
    private BitSet owned = new BitSet(PartitionHash.PARTITIONS);
    /** What was taken over and not let go yet, also when it belongs to others by now. */
    private final BitSet held = new BitSet(PartitionHash.PARTITIONS);
    private volatile long begunEmpty;
    private volatile long cameBack;

    /**
     * Makes it, without any.
     *
     * @param channel  of this member
     * @param handover of state
     * @param quiet    whether no row of a member that is gone is on its way down, which would be remembered again
     */
    Holdings(final ChannelMember channel, final PartitionHandover handover, final BooleanSupplier quiet)
    {
        this.channel = channel;
        this.handover = handover;
        this.quiet = quiet;
    }

    /** What belongs to this member by some routes. */
    static BitSet of(final Routes routes)
    {
        final BitSet owned = new BitSet(PartitionHash.PARTITIONS);
        for (int partition = 0; partition < routes.ownerOf().length; partition++)
        {
            owned.set(partition, routes.self() >= 0 && routes.ownerOf()[partition] == routes.self());
        }
        return owned;
    }

    int count()
    {
        return owned.cardinality();
    }

    /**
     * Takes over what belongs to this member, when nothing is left of what it once knew of partitions that come back.
     *
     * @return false to try again
     */
    boolean takeOver(final Routes routes)
    {
        final BitSet mine = of(routes);
        final BitSet gained = (BitSet)mine.clone();
        gained.andNot(owned);
        if (!forgotten(gained))
        {
            return false;
        }
        owned = mine;
        known.or(mine);
        held.or(mine);
        if (!gained.isEmpty())
        {
            handover.takeOver(routes.epoch(), gained, new byte[0]);
            final BitSet again = (BitSet)gained.clone();
            again.and(everOwned);
            everOwned.or(gained);
            begunEmpty += gained.cardinality() - again.cardinality();
            cameBack += again.cardinality();
            LOG.info("CLU-0401 partitions taken over, channel={} epoch={} members={} owned={} begunEmpty={} "
                + "cameBack={}: they begin empty, whoever had them before", channel.label(), routes.epoch(),
                routes.size(), mine.cardinality(), gained.cardinality() - again.cardinality(), again.cardinality());
        }
        return true;
    }

    /**
     * Lets go what does not belong to this member any more.
     *
     * @param epoch in which that is so
     * @param kept  what still does
     * @return false to try again
     */
    boolean release(final long epoch, final BitSet kept)
    {
        final BitSet lost = (BitSet)held.clone();
        lost.andNot(kept);
        if (lost.isEmpty())
        {
            return true;
        }
        if (!quiet.getAsBoolean())
        {
            return false;
        }
        handover.drain(epoch, lost);
        if (!forgotten(lost))
        {
            return false;
        }
        held.andNot(lost);
        owned.andNot(lost);
        return true;
    }

    private boolean forgotten(final BitSet partitions)
    {
        final BitSet left = (BitSet)partitions.clone();
        left.and(known);
        if (left.isEmpty() || quiet.getAsBoolean() && channel.entrance().forget(left))
        {
            known.andNot(left);
            return true;
        }
        return false;
    }

    /** It has none any more; what the stages below know of them is forgotten when they come back. */
    void clear()
    {
        owned = new BitSet(PartitionHash.PARTITIONS);
        held.clear();
    }

    void addFigures(final Map<String, Object> figures)
    {
        figures.put("partitionsBegunEmpty", begunEmpty);
        figures.put("partitionsCameBack", cameBack);
    }
}
