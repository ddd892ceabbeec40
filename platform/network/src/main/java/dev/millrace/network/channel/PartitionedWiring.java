package dev.millrace.network.channel;

import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.channel.step.ChannelSteps;
import dev.millrace.network.channel.step.SystemTime;
import dev.millrace.network.channel.step.SystemTimeStep;
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
 * Wires a channel that is partitioned across members, and joins and leaves the group of members; it decides which lanes
 * {@link PartitionedLanes} gets. Confined to one managing thread.
 */
final class PartitionedWiring
{
    private final PartitionedLanes shared;
    private final ChannelSteps steps;
    private final Lanes lanes;
    /** Rows have times that must not go back, so they share one lane down; otherwise the channel assigns times. */
    private final boolean isTimed;
    private final List<MergedLane> merged = new ArrayList<>();

    /**
     * Parameters of lanes down.
     *
     * @param heartbeatNs idle time after which a heartbeat is sent
     * @param systemTime  assigns times to rows
     * @param heartbeats  watches idle lanes
     * @param outlets     opens the outlet where a lane leaves the channel
     */
    record Lanes(long heartbeatNs, SystemTime systemTime, HeartbeatThread heartbeats, Supplier<Outlet> outlets)
    {
    }

    PartitionedWiring(final PartitionedChannels cluster, final PartitionedChannels.Terms terms, final StageMeter meter,
        final ChannelSteps steps, final Lanes lanes)
    {
        shared = new PartitionedLanes(cluster, terms, meter);
        this.steps = steps;
        this.lanes = lanes;
        isTimed = terms.timed();
    }

    /**
     * Creates one lane down for all rows, or one for each lane above whose times the channel assigns and one for other
     * members.
     */
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

    /** Connects a lane to the lane down that was created last. */
    void attach(final Upstream upstream)
    {
        final boolean isFresh = upstream.outlet().isOfSource();
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

    /** Disconnects a lane; called while no row is in transit. */
    void detach(final Outlet above)
    {
        shared.leave(above);
    }

    /** Adds a stage below that keeps state of partitions. */
    void addKeeper(final PartitionStateHolder keeper)
    {
        shared.addKeeper(keeper);
    }

    /** Joins; rows of other members may arrive from now on. */
    void join()
    {
        shared.channel().join();
    }

    /** Leaves: this member owns no partitions from now on. False when partitions were not transferred in time. */
    boolean leave(final long timeoutNs)
    {
        return shared.channel().leave(timeoutNs);
    }

    /** Holds the rows of all members; false when some in progress were not done in time. */
    boolean hold(final Deadline deadline)
    {
        boolean isHeld = true;
        for (final MergedLane lane : merged)
        {
            isHeld = isHeld && lane.hold(deadline);
        }
        return isHeld;
    }

    /** Ends {@link #hold}; called by the same thread. */
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
