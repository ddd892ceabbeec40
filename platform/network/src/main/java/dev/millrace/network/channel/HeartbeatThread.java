package dev.millrace.network.channel;

import dev.millrace.api.time.Clock;
import dev.millrace.network.lane.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that sends heartbeats on idle lanes and queues, one per network; none when no channel needs heartbeats. It
 * polls four times within the shortest heartbeat interval, but at most once per millisecond and at least once per
 * second; idle time is measured by the network's clock.
 */
public final class HeartbeatThread
{
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatThread.class);
    private static final long MIN_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final String application;
    private final Clock clock;
    private final ThreadFactory threads;
    private final List<IdleTarget> watches = new ArrayList<>();
    private Thread thread;
    private volatile boolean running;
    private volatile boolean paused;
    /** Held during a round of heartbeats. */
    private final ReentrantLock round = new ReentrantLock();

    /**
     * @param application used in the name of the thread
     * @param clock       measures idle time
     * @param threads     creates the thread
     */
    public HeartbeatThread(final String application, final Clock clock, final ThreadFactory threads)
    {
        this.application = application;
        this.clock = clock;
        this.threads = threads;
    }

    /** Adds an object to watch; only while the network is built. */
    public void add(final IdleTarget watch)
    {
        watches.add(watch);
    }

    /** Starts the thread if there is anything to watch. */
    public void start()
    {
        if (!watches.isEmpty())
        {
            running = true;
            thread = threads.newThread(this::run);
            thread.setName(application + "/heartbeats");
            thread.start();
        }
    }

    /**
     * Suspends or resumes heartbeats.
     *
     * @param pause true while the network is suspended
     */
    public void pause(final boolean pause)
    {
        paused = pause;
    }

    /**
     * Holds heartbeats back, after those in progress are done.
     *
     * @param deadline how long to wait for them
     * @return false when they were not done in time; then nothing is held back
     */
    public boolean hold(final Deadline deadline)
    {
        boolean interrupted = false;
        boolean held = round.tryLock();
        while (!held && !deadline.hasPassed())
        {
            try
            {
                held = round.tryLock(deadline.remainingNs(), TimeUnit.NANOSECONDS);
            }
            catch (final InterruptedException e)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return held;
    }

    /** Ends {@link #hold}; called by the same thread. Does nothing when nothing is held. */
    public void letGo()
    {
        if (round.isHeldByCurrentThread())
        {
            round.unlock();
        }
    }

    /** Sends heartbeats now, on the calling thread, after those in progress are done. */
    public void beat()
    {
        round.lock();
        try
        {
            if (!paused)
            {
                lookAround();
            }
        }
        finally
        {
            round.unlock();
        }
    }

    /** Ends the thread, after a heartbeat in progress is done. */
    public void stop()
    {
        running = false;
        if (thread != null)
        {
            LockSupport.unpark(thread);
            thread = null;
        }
    }

    private void run()
    {
        final long shortestNs = watches.stream().mapToLong(IdleTarget::heartbeatNs).min().orElse(MAX_PERIOD_NS);
        final long periodNs = Math.min(MAX_PERIOD_NS, Math.max(MIN_PERIOD_NS, shortestNs / 4));
        while (running)
        {
            LockSupport.parkNanos(periodNs);
            if (running && !paused && round.tryLock())
            {
                try
                {
                    lookAround();
                }
                finally
                {
                    round.unlock();
                }
            }
            // If a sink left the thread interrupted, it could never sleep again.
            Thread.interrupted();
        }
    }

    private void lookAround()
    {
        final long nowNs = clock.epochNs();
        for (int i = 0; i < watches.size(); i++)
        {
            try
            {
                watches.get(i).beatIfSilent(nowNs);
            }
            catch (final RuntimeException e)
            {
                LOG.error("heartbeat failed, application={}; please report this with the trace", application, e);
            }
        }
    }
}
