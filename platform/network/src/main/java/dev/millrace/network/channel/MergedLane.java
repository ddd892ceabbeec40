package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.channel.step.LaneWatermarks;
import dev.millrace.network.channel.step.SystemTimeStep;
import dev.millrace.network.channel.step.WatermarkMergeStep;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.Outlet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The single lane below a channel that is partitioned across members, shared by rows of this member's sources and rows
 * of other members. Where the channel assigns times, it does so under the lock, so rows are in order of their times.
 * Where rows already have times, a heartbeat passes on the minimum time of all inlets.
 *
 * <p>Thread-safe: one lock per batch.
 */
final class MergedLane implements IdleTarget
{
    private final ReentrantLock lock = new ReentrantLock();
    private final long heartbeatNs;
    private final SystemTimeStep time;
    private final LaneWatermarks laneTimes = new LaneWatermarks();
    private final Outlet outlet;
    private final EventBatch heartbeat;

    /**
     * @param heartbeatNs idle time after which the channel advances the time; 0 = never
     * @param time        assigns times; {@code null} when rows already have times
     * @param outlet      to the stages below
     */
    MergedLane(final long heartbeatNs, final SystemTimeStep time, final Outlet outlet)
    {
        this.heartbeatNs = heartbeatNs;
        this.time = time;
        this.outlet = outlet;
        heartbeat = new EventBatch(outlet.schema());
    }

    /** An inlet into the lane. */
    interface Way extends Inlet
    {
        /** Closes the inlet. */
        void close();
    }

    /** Opens an inlet for the rows of one thread. */
    Way open()
    {
        if (time != null)
        {
            return new StampedWay();
        }
        lock.lock();
        try
        {
            return new TimedWay(new WatermarkMergeStep(laneTimes, new EventBatch(outlet.schema())));
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Makes rows and heartbeats wait until {@link #letGo}; false when some in progress were not done in time. */
    boolean hold(final Deadline deadline)
    {
        try
        {
            return lock.tryLock(deadline.remainingNs(), TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends {@link #hold}; called by the same thread. Does nothing when nothing is held. */
    void letGo()
    {
        if (lock.isHeldByCurrentThread())
        {
            lock.unlock();
        }
    }

    private void pass(final BatchStep step, final EventBatch batch)
    {
        lock.lock();
        try
        {
            final EventBatch result = step.apply(batch);
            if (result != null)
            {
                outlet.accept(result);
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public long heartbeatNs()
    {
        return heartbeatNs;
    }

    @Override
    public void beatIfSilent(final long nowNs)
    {
        if (nowNs - time.lastNs() >= heartbeatNs && lock.tryLock())
        {
            try
            {
                heartbeat.clear();
                pass(time, heartbeat);
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    /** Inlet for rows whose times the channel assigns. */
    private final class StampedWay implements Way
    {
        @Override
        public void accept(final EventBatch batch)
        {
            pass(time, batch);
        }

        @Override
        public void close()
        {
            // No other inlet waits for its time.
        }
    }

    /** Inlet for rows that already have times. */
    private final class TimedWay implements Way
    {
        private final WatermarkMergeStep step;

        TimedWay(final WatermarkMergeStep step)
        {
            this.step = step;
        }

        @Override
        public void accept(final EventBatch batch)
        {
            pass(step, batch);
        }

        @Override
        public void close()
        {
            lock.lock();
            try
            {
                step.close();
            }
            finally
            {
                lock.unlock();
            }
        }
    }
}
