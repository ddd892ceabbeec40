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
 * The partitions that this member has, and what the stages below may still know of those that it has had. For the
 * thread of the channel; figures for all.
 */
final class Holdings
{
    private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

    private static final BiConsumer<String, byte[]> NOWHERE = (stage, state) ->
    {
        // What is forgotten here was not handed over, or is of an epoch that is gone.
    };

    private final ChannelMember channel;
    private final PartitionHandover handover;
    private final BooleanSupplier quiet;
    private final BitSet everOwned = new BitSet(PartitionHash.PARTITIONS);
    /** Partitions of which the stages below may still know something. */
    private final BitSet known = new BitSet(PartitionHash.PARTITIONS);
    private BitSet owned = new BitSet(PartitionHash.PARTITIONS);
    /** What was taken over and not let go yet, also when it belongs to others by now. */
    private final BitSet held = new BitSet(PartitionHash.PARTITIONS);
    /** What stages have forgotten of partitions that go, until all have. */
    private final Map<Way, Map<String, byte[]>> leaving = new LinkedHashMap<>();
    private volatile long begunEmpty;
    private volatile long cameBack;

    /**
     * Makes it, without any.
     *
     * @param channel  of this member
     * @param handover where state lies on its way
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
     * @param routes in which it does
     * @param before stays of the members that may have left state of it
     * @return false to try again
     */
    boolean takeOver(final Routes routes, final Set<String> before)
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
                + "cameBack={} states={}: what stages of before have not given begins empty", channel.label(),
                routes.epoch(), routes.size(), mine.cardinality(), gained.cardinality() - again.cardinality(),
                again.cardinality(), states);
        }
        return true;
    }

    /** Gives stages what was left for them; -1 to try again, which begins with forgetting. */
    private int takeState(final Routes routes, final Set<String> before, final BitSet gained)
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
     * Lets go what does not belong to this member any more.
     *
     * @param routes in which that is so
     * @param self   stay of this member
     * @return false to try again
     */
    boolean release(final Routes routes, final String self)
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

    private static Map<Integer, BitSet> byOwner(final Routes routes, final BitSet partitions)
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
