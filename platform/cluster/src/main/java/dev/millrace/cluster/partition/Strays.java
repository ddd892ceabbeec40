package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.partition.RowSplitter;
import dev.millrace.network.spi.RemoteEntrance;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that were on their way to a member that is gone or does not take them any more. They wait for new owners: of
 * another member, into the link to it before any row that comes later; of this one, until it may take them.
 *
 * <p>For the thread of the channel; rows come back on any.
 */
final class Strays
{
    private final ChannelMember channel;
    private final RowSplitter splitter;
    /** Rows without a way, in order; guarded by itself. */
    private final List<Slot> homeless = new ArrayList<>();
    /** Rows that belong to this member, until it may take them. */
    private final List<Slot> own = new ArrayList<>();
    private volatile long rowsRerouted;

    Strays(final ChannelMember channel)
    {
        this.channel = channel;
        splitter = new RowSplitter(channel.terms().schema(), channel.terms().keyColumn());
    }

    /** On any thread. */
    void takeBack(final List<Slot> slots)
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

    /** What waits for new owners, in order; it waits here no more. */
    List<Slot> removeHomeless()
    {
        synchronized (homeless)
        {
            final List<Slot> all = new ArrayList<>(homeless);
            homeless.clear();
            return all;
        }
    }

    /** What waits until this member may take it; it waits here no more. */
    List<Slot> removeOwn()
    {
        final List<Slot> all = new ArrayList<>(own);
        own.clear();
        return all;
    }

    /** Gives rows to those that own their partitions now. */
    void reroute(final Slot slot, final Routes routes)
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

    private Slot part(final Slot slot, final int[] rows, final int count, final long epoch)
    {
        final Slot part = Slot.rows(channel.terms().schema()).begin(epoch, slot.way, channel.terms().timed());
        part.batch.copySelected(slot.batch, rows, 0, 0, count);
        part.batch.size(count);
        return part;
    }

    /**
     * Takes what belongs to this member, in the place of the sources that it came from; of one that has closed, on a
     * way of its own.
     */
    void deliverOwn()
    {
        for (final Slot slot : own)
        {
            final SourceWay way =
                channel.ways().stream().filter(each -> each.number() == slot.way).findFirst().orElse(null);
            if (way == null)
            {
                final RemoteEntrance.RemoteWay own = channel.entrance().open();
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
