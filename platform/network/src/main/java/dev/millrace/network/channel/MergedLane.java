package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.Outlet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way down from a channel that is shared out among members, where rows of this member's sources and rows of other
 * members take turns: one lane for the stages below. Where the channel stamps rows, it does so under the lock, so that
 * their order is that of their times; where rows bring their times, a heartbeat goes on with the least time of all.
 *
 * <p>Threads: any; one lock a batch.
 */
final class MergedLane implements SilenceWatch
{
    private final ReentrantLock lock = new ReentrantLock();
    private final long heartbeatNs;
    private final SystemTimeStep time;
    private final LaneTimes laneTimes = new LaneTimes();
    private final Outlet outlet;
    private final EventBatch heartbeat;

    /**
     * Makes a lane.
     *
     * @param heartbeatNs silence after which time goes on; 0 = never
     * @param time        stamps rows; {@code null} when they bring their times
     * @param outlet      to the stages below
     */
    MergedLane(final long heartbeatNs, final SystemTimeStep time, final Outlet outlet)
    {
        this.heartbeatNs = heartbeatNs;
        this.time = time;
        this.outlet = outlet;
        heartbeat = new EventBatch(outlet.schema());
    }

    /** A way into the lane. */
    interface Way extends Inlet
    {
        /** Ends the way. */
        void close();
    }

    /**
     * Opens a way for rows that come on one thread.
     *
     * @return the way
     */
    Way open()
    {
        if (time != null)
        {
            return new StampedWay();
        }
        lock.lock();
        try
        {
            return new TimedWay(new MergedHeartbeatStep(laneTimes, new EventBatch(outlet.schema())));
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Rows and heartbeats wait until {@link #letGo}; false when some did not get through in time. */
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

    /** Ends {@link #hold}, by the same thread; nothing happens when it held nothing. */
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

    /** Of rows that the channel stamps. */
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
            // Nobody waits for its time.
        }
    }

    /** Of rows that bring their times. */
    private final class TimedWay implements Way
    {
        private final MergedHeartbeatStep step;

        TimedWay(final MergedHeartbeatStep step)
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
