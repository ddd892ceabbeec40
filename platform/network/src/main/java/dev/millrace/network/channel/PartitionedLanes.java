package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.spi.PartitionedChannel;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.RemoteInput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * The lanes of a channel whose rows are partitioned across members.
 *
 * <pre>
 *   lane above ─► steps ─► PartitionedChannel.Way ───► MergedLane ─► outlet     rows of this member's partitions
 *                                 └═► other members        ▲
 *   other members ═════════════════════════════════════════┘
 * </pre>
 *
 * With one lane above there is one lane down, so that a processor runs on the source's thread. Several lanes whose
 * times the channel assigns stay separate lanes down, and the rows of other members get an additional lane. Rows that
 * already have times share one lane, whose heartbeats wait for all sources.
 *
 * <p>Threads: wiring is done by one managing thread; remote entries are opened by any thread.
 */
final class PartitionedLanes implements RemoteInput
{
    private final StageMeter meter;
    private final PartitionedChannel channel;
    private final Map<Outlet, Entry> entries = new IdentityHashMap<>();
    private final List<MergedLane> lanes = new ArrayList<>();
    private final List<PartitionStateHolder> keepers = new CopyOnWriteArrayList<>();
    private final LaneCounters remoteCounters;
    private volatile MergedLane remote;

    /** The connection of a lane from above. */
    private record Entry(LaneCounters counters, PartitionedChannel.Way way, MergedLane.Way down)
    {
    }

    /**
     * Opens the channel; no rows arrive before {@link #join}.
     *
     * @param cluster partitions rows across members
     * @param terms   parameters of the channel
     * @param meter   statistics of the channel
     */
    PartitionedLanes(final PartitionedChannels cluster, final PartitionedChannels.Terms terms, final StageMeter meter)
    {
        this.meter = meter;
        remoteCounters = meter.openIn();
        channel = cluster.open(terms, this);
    }

    /**
     * Adds a lane down; the first one receives the rows of other members until {@link #remote} selects another.
     *
     * @param lane of the channel
     */
    void add(final MergedLane lane)
    {
        lanes.add(lane);
        remote = lane;
    }

    /** The lane down that was added last. */
    MergedLane last()
    {
        return lanes.get(lanes.size() - 1);
    }

    /**
     * Connects a lane from above.
     *
     * @param above where it leaves its stage
     * @param steps applied to each batch before it is partitioned
     * @param lane  down
     * @return the inlet for the lane
     */
    Inlet enter(final Outlet above, final List<BatchStep> steps, final MergedLane lane)
    {
        final LaneCounters counters = meter.openIn();
        final MergedLane.Way down = lane.open();
        final PartitionedChannel.Way way = channel.openWay(down::accept);
        entries.put(above, new Entry(counters, way, down));
        return new ChannelInlet(steps.toArray(BatchStep[]::new), counters, way::accept);
    }

    /**
     * Disconnects a lane from above; called while no row is in transit.
     *
     * @param above where it left its stage
     * @return whether it was connected
     */
    boolean leave(final Outlet above)
    {
        final Entry entry = entries.remove(above);
        if (entry == null)
        {
            return false;
        }
        entry.way.close();
        entry.down.close();
        meter.close(entry.counters);
        return true;
    }

    PartitionedChannel channel()
    {
        return channel;
    }

    @Override
    public RemoteWay open()
    {
        final MergedLane.Way down = remote.open();
        return new RemoteWay()
        {
            @Override
            public void accept(final EventBatch batch)
            {
                synchronized (remoteCounters)
                {
                    remoteCounters.add(batch.size());
                }
                down.accept(batch);
            }

            @Override
            public void close()
            {
                down.close();
            }
        };
    }

    @Override
    public boolean forget(final BitSet partitions, final BiConsumer<String, byte[]> to)
    {
        for (final PartitionStateHolder keeper : keepers)
        {
            if (!keeper.forget(partitions, to))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean takeOver(final BitSet partitions, final String stage, final byte[] state)
    {
        for (final PartitionStateHolder keeper : keepers)
        {
            if (!keeper.takeOver(partitions, stage, state))
            {
                return false;
            }
        }
        return true;
    }

    /** Adds a stage below that keeps state of partitions. */
    void addKeeper(final PartitionStateHolder keeper)
    {
        keepers.add(keeper);
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        meter.rejections().count(rows, reason, detail, null);
    }
}
