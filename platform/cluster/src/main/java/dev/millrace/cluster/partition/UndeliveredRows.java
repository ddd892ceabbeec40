package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.partition.link.SendEntry;
import dev.millrace.network.partition.RowSplitter;
import dev.millrace.network.spi.RemoteInput;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that were in flight to a member that has left or rejects them. They wait for a new owner. If that is another
 * member, they enter its link before any later row; if it is this member, they wait until it may process them.
 *
 * <p>Confined to the thread of the channel, except that rows are returned on any thread.
 */
final class UndeliveredRows
{
    private final PartitionedChannelMember channel;
    private final RowSplitter splitter;
    /** Rows without a known owner, in order; guarded by its own monitor. */
    private final List<SendEntry> homeless = new ArrayList<>();
    /** Rows of this member, until it may process them. */
    private final List<SendEntry> own = new ArrayList<>();
    private volatile long rowsRerouted;

    UndeliveredRows(final PartitionedChannelMember channel)
    {
        this.channel = channel;
        splitter = new RowSplitter(channel.terms().schema(), channel.terms().keyColumn());
    }

    /** Thread-safe. */
    void takeBack(final List<SendEntry> slots)
    {
        synchronized (homeless)
        {
            homeless.addAll(slots);
        }
    }

    /** Whether rows wait for new owners. */
    boolean areHomeless()
    {
        synchronized (homeless)
        {
            return !homeless.isEmpty();
        }
    }

    boolean isEmpty()
    {
        return own.isEmpty() && !areHomeless();
    }

    /** Removes and returns the rows that wait for new owners, in order. */
    List<SendEntry> removeHomeless()
    {
        synchronized (homeless)
        {
            final List<SendEntry> all = new ArrayList<>(homeless);
            homeless.clear();
            return all;
        }
    }

    /** Removes and returns the rows that wait until this member may process them. */
    List<SendEntry> removeOwn()
    {
        final List<SendEntry> all = new ArrayList<>(own);
        own.clear();
        return all;
    }

    /** Distributes rows to the current owners of their partitions. */
    void reroute(final SendEntry slot, final RoutingTable routes)
    {
        final EventBatch batch = slot.batch;
        if (routes.size() == 0)
        {
            takeBack(List.of(slot));
            return;
        }
        rowsRerouted += batch.size();
        if (splitter.split(batch, routes.ownerOf(), routes.size(), routes.self()))
        {
            own.add(slot);
            return;
        }
        for (int owner = 0; owner < routes.size(); owner++)
        {
            final int count = splitter.count(owner);
            if (count > 0 && owner == routes.self())
            {
                own.add(part(slot, splitter.rows(owner), count, routes.epoch()));
            }
            else if (count > 0)
            {
                routes.link(owner).appendAgain(slot.way, routes.epoch(), batch, splitter.rows(owner), count);
            }
        }
    }

    private SendEntry part(final SendEntry slot, final int[] rows, final int count, final long epoch)
    {
        final SendEntry part = SendEntry.rows(channel.terms().schema()).begin(epoch, slot.way, channel.terms().timed());
        part.batch.copySelected(slot.batch, rows, 0, 0, count);
        part.batch.size(count);
        return part;
    }

    /** Processes the rows of this member on behalf of their sources; rows of a closed source get a separate input. */
    void deliverOwn()
    {
        for (final SendEntry slot : own)
        {
            final PartitionRouter way =
                channel.ways().stream().filter(each -> each.number() == slot.way).findFirst().orElse(null);
            if (way == null)
            {
                final RemoteInput.RemoteWay own = channel.entrance().open();
                own.accept(slot.batch);
                own.close();
                continue;
            }
            way.lock().lock();
            try
            {
                way.deliver(slot.batch);
            }
            finally
            {
                way.lock().unlock();
            }
        }
        own.clear();
    }

    long rowsRerouted()
    {
        return rowsRerouted;
    }
}
