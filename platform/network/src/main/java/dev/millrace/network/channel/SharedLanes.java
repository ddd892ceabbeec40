package dev.millrace.network.channel;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.RemoteEntrance;
import dev.millrace.network.spi.SharedChannel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * The lanes of a channel whose rows are shared out among members.
 *
 * <pre>
 *   lane above ─► steps ─► Way of the cluster ──► MergedLane ─► outlet     rows of this member's partitions
 *                             └═► other members       ▲
 *   other members ═══════════════════════════════════─┘
 * </pre>
 *
 * With one lane above there is one down, so that a processor runs on the threads that come. Several lanes that the
 * channel stamps go down side by side, and the rows of the others have one of their own. Rows that bring their times
 * share one lane, whose heartbeats wait for all of them.
 *
 * <p>Threads: wiring is done by one managing thread; remote ways are opened by any.
 */
final class SharedLanes implements RemoteEntrance
{
    private final BatchSchema schema;
    private final StageMeter meter;
    private final SharedChannel channel;
    private final Map<Outlet, Entry> entries = new IdentityHashMap<>();
    private final List<MergedLane> lanes = new ArrayList<>();
    private final List<PartitionKeeper> keepers = new CopyOnWriteArrayList<>();
    private final LaneCounters remoteCounters;
    private volatile MergedLane remote;

    /** How a lane from above came in. */
    private record Entry(LaneCounters counters, SharedChannel.Way way, MergedLane.Way down)
    {
    }

    /**
     * Opens the channel; nothing comes before {@link #join}.
     *
     * @param cluster shares out
     * @param terms   what and how
     * @param meter   figures of the channel
     */
    SharedLanes(final PartitionedChannels cluster, final PartitionedChannels.Terms terms, final StageMeter meter)
    {
        schema = terms.schema();
        this.meter = meter;
        remoteCounters = meter.openIn();
        channel = cluster.open(terms, this);
    }

    /**
     * Adds a lane down; the first one takes the rows of other members until {@link #remote} names another.
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
     * Makes the way of a lane from above.
     *
     * @param above where it leaves its stage
     * @param steps what is done with each batch before it is shared out
     * @param lane  down
     * @return its beginning
     */
    Inlet enter(final Outlet above, final List<BatchStep> steps, final MergedLane lane)
    {
        final LaneCounters counters = meter.openIn();
        final MergedLane.Way down = lane.open();
        final SharedChannel.Way way = channel.openWay(down::accept);
        entries.put(above, new Entry(counters, way, down));
        return new ChannelInlet(steps.toArray(BatchStep[]::new), counters, way::accept);
    }

    /**
     * Ends the way of a lane from above; nothing is on it.
     *
     * @param above where it left its stage
     * @return whether it had one
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

    SharedChannel channel()
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
        for (final PartitionKeeper keeper : keepers)
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
        for (final PartitionKeeper keeper : keepers)
        {
            if (!keeper.takeOver(partitions, stage, state))
            {
                return false;
            }
        }
        return true;
    }

    /** Adds a stage below that keeps state of partitions. */
    void addKeeper(final PartitionKeeper keeper)
    {
        keepers.add(keeper);
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        meter.rejections().count(rows, reason, detail, null);
    }
}
