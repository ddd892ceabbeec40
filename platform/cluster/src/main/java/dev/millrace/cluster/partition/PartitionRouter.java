package dev.millrace.cluster.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.partition.RowSplitter;
import dev.millrace.network.spi.PartitionedChannel;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Routes the rows of one source: rows of local partitions continue in this member, others are appended to links. A
 * batch with local rows only is passed on unchanged.
 *
 * <p>Threads: the source thread; the thread of the channel acquires the lock during a rebalance, when no row is being
 * routed. While a link is full or a rebalance is in progress, the source waits without holding the lock.
 */
final class PartitionRouter implements PartitionedChannel.Way
{
    private final PartitionedChannelMember channel;
    private final int number;
    private final Consumer<EventBatch> here;
    private final ReentrantLock lock = new ReentrantLock();
    private final RowSplitter splitter;
    private final EventBatch[] rests;
    private int[] done = new int[0];
    private volatile long waits;
    /**
     * Guarded by the lock, as is the next field. True while rows are being routed, also while the source waits without
     * the lock.
     */
    private boolean isInside;
    private boolean isClosed;

    PartitionRouter(final PartitionedChannelMember channel, final int number, final Consumer<EventBatch> here)
    {
        this.channel = channel;
        this.number = number;
        this.here = here;
        final BatchSchema schema = channel.terms().schema();
        splitter = new RowSplitter(schema, channel.terms().keyColumn());
        rests = new EventBatch[] {new EventBatch(schema), new EventBatch(schema)};
    }

    int number()
    {
        return channel.terms().timed() ? number : 0;
    }

    ReentrantLock lock()
    {
        return lock;
    }

    long waits()
    {
        return waits;
    }

    /** Passes rows of this member on, on behalf of the source. The caller holds the lock. */
    void deliver(final EventBatch batch)
    {
        here.accept(batch);
    }

    /** Waiting rows are still routed; other members are notified of the end after them. */
    @Override
    public void close()
    {
        lock.lock();
        try
        {
            isClosed = true;
            if (!isInside)
            {
                channel.remove(this);
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public void accept(final EventBatch batch)
    {
        lock.lock();
        try
        {
            isInside = true;
            if (batch.size() == 0)
            {
                heartbeat(batch);
            }
            else
            {
                rows(batch);
            }
        }
        finally
        {
            isInside = false;
            if (isClosed)
            {
                channel.remove(this);
            }
            lock.unlock();
        }
    }

    private void heartbeat(final EventBatch batch)
    {
        here.accept(batch);
        final RoutingTable routes = channel.routes();
        if (channel.terms().timed() && routes != null && channel.mayAct())
        {
            tellTime(routes, batch.baseTimestampNs());
        }
    }

    private void tellTime(final RoutingTable routes, final long timeNs)
    {
        for (int owner = 0; owner < routes.size(); owner++)
        {
            if (owner != routes.self())
            {
                routes.link(owner).time(number(), timeNs);
            }
        }
    }

    private void rows(final EventBatch batch)
    {
        EventBatch left = batch;
        int turn = 0;
        while (left != null)
        {
            final RoutingTable routes = awaitRoutes(left.size());
            if (routes == null)
            {
                return;
            }
            if (splitter.split(left, routes.ownerOf(), routes.size(), routes.self()))
            {
                here.accept(left);
                left = null;
            }
            else
            {
                left = distribute(left, routes, rests[turn]);
                turn ^= 1;
            }
        }
        final RoutingTable routes = channel.routes();
        if (channel.terms().timed() && routes != null)
        {
            tellTime(routes, batch.timestampNs(batch.size() - 1));
        }
    }

    /** The current routes, waiting for them without the lock; {@code null} after the rows were rejected. */
    private RoutingTable awaitRoutes(final int rows)
    {
        while (true)
        {
            final long seen = channel.changes();
            final RoutingTable routes = channel.routes();
            if (!channel.mayAct())
            {
                channel.rejectFenced(rows);
                return null;
            }
            if (routes != null && channel.isOpen(routes))
            {
                return routes;
            }
            if (!channel.takesPart())
            {
                channel.rejectNoPart(rows);
                return null;
            }
            pause(seen);
        }
    }

    private void pause(final long seen)
    {
        waits++;
        lock.unlock();
        try
        {
            channel.awaitChange(seen);
        }
        finally
        {
            lock.lock();
        }
    }

    /**
     * Passes each owner its rows.
     *
     * @return the remaining rows if the owners change in the meantime, otherwise {@code null}
     */
    private EventBatch distribute(final EventBatch batch, final RoutingTable routes, final EventBatch rest)
    {
        if (done.length < routes.size())
        {
            done = new int[routes.size()];
        }
        Arrays.fill(done, 0);
        if (routes.self() >= 0 && splitter.count(routes.self()) > 0)
        {
            here.accept(splitter.batch(batch, routes.self()));
            done[routes.self()] = splitter.count(routes.self());
        }
        while (true)
        {
            final long seen = channel.changes();
            if (append(batch, routes))
            {
                return null;
            }
            pause(seen);
            if (channel.routes() != routes || !channel.mayAct() || !channel.takesPart())
            {
                return rest(batch, routes, rest);
            }
        }
    }

    private boolean append(final EventBatch batch, final RoutingTable routes)
    {
        boolean isComplete = true;
        for (int owner = 0; owner < routes.size(); owner++)
        {
            final int count = splitter.count(owner);
            if (done[owner] < count)
            {
                done[owner] += routes.link(owner)
                    .append(number(), routes.epoch(), batch, splitter.rows(owner), done[owner], count - done[owner]);
                isComplete &= done[owner] == count;
            }
        }
        return isComplete;
    }

    /** Rows that no owner has accepted, in order. */
    private EventBatch rest(final EventBatch batch, final RoutingTable routes, final EventBatch rest)
    {
        final int[] rows = new int[batch.size()];
        int size = 0;
        for (int owner = 0; owner < routes.size(); owner++)
        {
            final int count = splitter.count(owner) - done[owner];
            System.arraycopy(splitter.rows(owner), done[owner], rows, size, count);
            size += count;
        }
        Arrays.sort(rows, 0, size);
        rest.clear();
        if (batch.timestampPerRow())
        {
            rest.useTimestampPerRow();
        }
        rest.copySelected(batch, rows, 0, 0, size);
        rest.size(size);
        return rest;
    }
}
