package dev.millrace.network.channel;

import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.SerialInlet;
import java.util.ArrayList;
import java.util.List;

/**
 * The lanes of a pass-through channel that come from processors, and their users. A query that starts while the network
 * is running gets a lane that another query has left, or shares one, because the stages below the channel were wired
 * for a fixed number of lanes.
 *
 * <p>Threads: the thread that builds the network or changes the rules of a processor; no row of that processor is in
 * transit then.
 */
final class ProcessorLanePool
{
    private final List<Lane> lanes = new ArrayList<>();

    /** The connection of a query's rows to a lane. */
    static final class Entry
    {
        private final Outlet above;
        private final LaneCounters counters;
        private Inlet target;
        private boolean isSerial;

        /**
         * @param above    where the rows leave the processor
         * @param target   the inlet that was added to it
         * @param counters of the rows that enter
         */
        Entry(final Outlet above, final Inlet target, final LaneCounters counters)
        {
            this.above = above;
            this.target = target;
            this.counters = counters;
        }
    }

    /** A lane down from the channel. */
    private static final class Lane
    {
        private final String processor;
        private final Outlet below;
        private final Object monitor = new Object();
        private final List<Entry> entries = new ArrayList<>();

        Lane(final String processor, final Outlet below)
        {
            this.processor = processor;
            this.below = below;
        }

        /** Queries may run on different threads: they enter a shared lane one at a time. */
        void serialize()
        {
            for (final Entry entry : entries)
            {
                if (!entry.isSerial)
                {
                    final Inlet serial = new SerialInlet(monitor, entry.target);
                    entry.above.replace(entry.target, serial);
                    entry.target = serial;
                    entry.isSerial = true;
                }
            }
        }
    }

    /**
     * Registers a lane that was wired.
     *
     * @param processor id of the stage above
     * @param below     where the lane leaves the channel
     * @param entry     its user; {@code null} when it has none yet
     */
    void wired(final String processor, final Outlet below, final Entry entry)
    {
        final Lane lane = new Lane(processor, below);
        if (entry != null)
        {
            lane.entries.add(entry);
        }
        lanes.add(lane);
    }

    boolean has(final String processor)
    {
        return lanes.stream().anyMatch(lane -> lane.processor.equals(processor));
    }

    /**
     * Finds a lane for another query: a free one, or the one with the fewest users.
     *
     * @param processor id of the stage above
     * @return where its rows leave the channel
     */
    Outlet choose(final String processor)
    {
        return best(processor).below;
    }

    private Lane best(final String processor)
    {
        Lane best = null;
        for (final Lane lane : lanes)
        {
            if (lane.processor.equals(processor) && (best == null || lane.entries.size() < best.entries.size()))
            {
                best = lane;
            }
        }
        if (best == null)
        {
            throw new IllegalStateException("internal error, please report it: a channel below a processor has no "
                + "lane, " +
                "processor=" + processor);
        }
        return best;
    }

    /**
     * Connects a query to the lane that {@link #choose} returned last.
     *
     * @param processor id of the stage above
     * @param entry     the connection
     */
    void enter(final String processor, final Entry entry)
    {
        final Lane lane = best(processor);
        lane.entries.add(entry);
        if (lane.entries.size() > 1)
        {
            lane.serialize();
        }
    }

    /**
     * Disconnects a query.
     *
     * @param above where its rows left the processor
     * @return counters of the rows that entered, or {@code null} when it was not connected
     */
    LaneCounters leave(final Outlet above)
    {
        for (final Lane lane : lanes)
        {
            for (final Entry entry : lane.entries)
            {
                if (entry.above == above)
                {
                    lane.entries.remove(entry);
                    return entry.counters;
                }
            }
        }
        return null;
    }
}
