package dev.millrace.cluster.partition;

import dev.millrace.cluster.partition.PartitionHandover.Way;
import dev.millrace.network.partition.PartitionHash;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that this member owns, and those it has owned, for which stages below may still have state. Confined
 * to the thread of the channel, except for figures.
 */
final class OwnedPartitions
{
    private static final Logger LOG = LoggerFactory.getLogger(OwnedPartitions.class);

    private static final BiConsumer<String, byte[]> NOWHERE = (stage, state) ->
    {
        // State discarded here was not transferred, or belongs to an epoch that has ended.
    };

    private final PartitionedChannelMember channel;
    private final PartitionHandover handover;
    private final BooleanSupplier quiet;
    private final BitSet everOwned = new BitSet(PartitionHash.PARTITIONS);
    /** Partitions for which the stages below may still have state. */
    private final BitSet known = new BitSet(PartitionHash.PARTITIONS);
    private BitSet owned = new BitSet(PartitionHash.PARTITIONS);
    /** Partitions taken over and not released yet, including those that have new owners by now. */
    private final BitSet held = new BitSet(PartitionHash.PARTITIONS);
    /** State removed from stages for partitions that move, until all stages have responded. */
    private final Map<Way, Map<String, byte[]>> leaving = new LinkedHashMap<>();
    private volatile long begunEmpty;
    private volatile long cameBack;

    /**
     * Starts without partitions.
     *
     * @param quiet whether no row of a departed member is still being processed; such a row would create state again
     */
    OwnedPartitions(final PartitionedChannelMember channel, final PartitionHandover handover,
        final BooleanSupplier quiet)
    {
        this.channel = channel;
        this.handover = handover;
        this.quiet = quiet;
    }

    /** The partitions that routes assign to this member. */
    static BitSet of(final RoutingTable routes)
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
     * Takes over the partitions of this member. State from an earlier ownership of the same partitions is discarded
     * first.
     *
     * @param routes that assign the partitions
     * @param before incarnations of the members that may have left state of them
     * @return false to try again
     */
    boolean takeOver(final RoutingTable routes, final Set<String> before)
    {
        final BitSet mine = of(routes);
        final BitSet gained = (BitSet)mine.clone();
        gained.andNot(owned);
        if (!forgotten(gained, NOWHERE))
        {
            return false;
        }
        known.or(mine);
        final int states = gained.isEmpty() ? 0 : takeState(routes, before, gained);
        if (states < 0)
        {
            return false;
        }
        owned = mine;
        held.or(mine);
        if (!gained.isEmpty())
        {
            final BitSet again = (BitSet)gained.clone();
            again.and(everOwned);
            everOwned.or(gained);
            begunEmpty += gained.cardinality() - again.cardinality();
            cameBack += again.cardinality();
            LOG.info("CLU-0401 partitions taken over, channel={} epoch={} members={} owned={} begunEmpty={} "
                + "cameBack={} states={}: state that earlier owners did not transfer starts empty", channel.label(),
                routes.epoch(), routes.size(), mine.cardinality(), gained.cardinality() - again.cardinality(),
                again.cardinality(), states);
        }
        return true;
    }

    /**
     * Passes transferred state to the stages.
     *
     * @return number of states; -1 to try again, starting with discarding
     */
    private int takeState(final RoutingTable routes, final Set<String> before, final BitSet gained)
    {
        final String self = routes.step().owners().get(routes.self()).stay();
        final List<Way> ways = new ArrayList<>();
        int states = 0;
        for (final String from : before)
        {
            final Way way = new Way(routes.epoch(), from, self);
            final Map<String, byte[]> left = handover.left(way);
            if (!left.isEmpty())
            {
                ways.add(way);
            }
            for (final Map.Entry<String, byte[]> each : left.entrySet())
            {
                if (!channel.entrance().takeOver(gained, each.getKey(), each.getValue()))
                {
                    return -1;
                }
                states++;
            }
        }
        ways.forEach(handover::taken);
        return states;
    }

    /**
     * Releases partitions that no longer belong to this member.
     *
     * @param routes that assign the partitions
     * @param self   incarnation of this member
     * @return false to try again
     */
    boolean release(final RoutingTable routes, final String self)
    {
        final BitSet lost = (BitSet)held.clone();
        lost.andNot(of(routes));
        if (lost.isEmpty())
        {
            return true;
        }
        if (!quiet.getAsBoolean())
        {
            return false;
        }
        leaving.keySet().removeIf(way -> way.epoch() != routes.epoch());
        for (final Map.Entry<Integer, BitSet> next : byOwner(routes, lost).entrySet())
        {
            if (!forgotten(next.getValue(), next.getKey() < 0 ? NOWHERE : leaving.computeIfAbsent(new Way(
                routes.epoch(), self, routes.step().owners().get(next.getKey()).stay()),
                way -> new LinkedHashMap<>())::putIfAbsent))
            {
                return false;
            }
        }
        leaving.values().removeIf(Map::isEmpty);
        leaving.forEach(handover::leave);
        leaving.clear();
        held.andNot(lost);
        owned.andNot(lost);
        return true;
    }

    private static Map<Integer, BitSet> byOwner(final RoutingTable routes, final BitSet partitions)
    {
        final Map<Integer, BitSet> byOwner = new TreeMap<>();
        partitions.stream().forEach(partition ->
            byOwner.computeIfAbsent((int)routes.ownerOf()[partition], owner -> new BitSet()).set(partition));
        return byOwner;
    }

    private boolean forgotten(final BitSet partitions, final BiConsumer<String, byte[]> to)
    {
        final BitSet left = (BitSet)partitions.clone();
        left.and(known);
        if (left.isEmpty() || quiet.getAsBoolean() && channel.entrance().forget(left, to))
        {
            known.andNot(left);
            return true;
        }
        return false;
    }

    /** Drops all partitions. Stages discard their state when the partitions come back. */
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
