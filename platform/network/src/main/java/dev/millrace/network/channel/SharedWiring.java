package dev.millrace.network.channel;

import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime.Upstream;
import dev.millrace.network.spi.PartitionedChannels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Wires a channel that is shared out among members, and lets it join and leave them: {@link SharedLanes} says which
 * lanes it gets. For one managing thread.
 */
final class SharedWiring
{
    private final SharedLanes shared;
    private final ChannelSteps steps;
    private final Lanes lanes;
    /** Rows bring times that must not go backwards, so that they share one lane down; otherwise the channel stamps. */
    private final boolean isTimed;
    private final List<MergedLane> merged = new ArrayList<>();

    /**
     * What lanes down are made of.
     *
     * @param heartbeatNs silence that a heartbeat ends
     * @param systemTime  stamps rows
     * @param heartbeats  looks after silent lanes
     * @param outlets     opens where a lane leaves the channel
     */
    record Lanes(long heartbeatNs, SystemTime systemTime, Heartbeats heartbeats, Supplier<Outlet> outlets)
    {
    }

    SharedWiring(final PartitionedChannels cluster, final PartitionedChannels.Terms terms, final StageMeter meter,
        final ChannelSteps steps, final Lanes lanes)
    {
        shared = new SharedLanes(cluster, terms, meter);
        this.steps = steps;
        this.lanes = lanes;
        isTimed = terms.timed();
    }

    /** One lane down for all rows, or one for each lane above whose rows are stamped and one for other members. */
    void wire(final List<Upstream> above)
    {
        addMergedLane();
        for (int i = 0; i < above.size(); i++)
        {
            if (i > 0 && !isTimed)
            {
                addMergedLane();
            }
            attach(above.get(i));
        }
        if (above.size() > 1 && !isTimed)
        {
            addMergedLane();
        }
    }

    private void addMergedLane()
    {
        final MergedLane lane = new MergedLane(lanes.heartbeatNs(),
            isTimed ? null : new SystemTimeStep(lanes.systemTime()), lanes.outlets().get());
        shared.add(lane);
        merged.add(lane);
        if (!isTimed && steps.beats())
        {
            lanes.heartbeats().add(lane);
        }
    }

    /** Lets a lane in, to the lane down that was made last. */
    void attach(final Upstream upstream)
    {
        final boolean isFresh = upstream.outlet().source() != null;
        final List<BatchStep> way = steps.kind(upstream);
        if (steps.hasApplicationTime())
        {
            way.add(steps.applicationTime(isFresh));
        }
        else if (isTimed && isFresh)
        {
            way.add(new SystemTimeStep(lanes.systemTime()));
        }
        steps.enter(upstream, shared.enter(upstream.outlet(), way, shared.last()));
    }

    /** Ends the way of a lane; nothing is on it. */
    void detach(final Outlet above)
    {
        shared.leave(above);
    }

    /** Adds a stage below that keeps state of partitions. */
    void addKeeper(final PartitionKeeper keeper)
    {
        shared.addKeeper(keeper);
    }

    /** Rows may come. */
    void join()
    {
        shared.channel().join();
    }

    /** From now on this member owns nothing; false when partitions were not handed over in time. */
    boolean leave(final long timeoutNs)
    {
        return shared.channel().leave(timeoutNs);
    }

    /** Rows of all members wait; false when some did not get through in time. */
    boolean hold(final Deadline deadline)
    {
        boolean isHeld = true;
        for (final MergedLane lane : merged)
        {
            isHeld = isHeld && lane.hold(deadline);
        }
        return isHeld;
    }

    /** Ends {@link #hold}, by the same thread. */
    void letGo()
    {
        merged.forEach(MergedLane::letGo);
    }

    void close()
    {
        shared.channel().close();
    }

    Map<String, Object> statistics()
    {
        return shared.channel().statistics();
    }
}
