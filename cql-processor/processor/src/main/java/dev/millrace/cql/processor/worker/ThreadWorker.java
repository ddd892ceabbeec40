package dev.millrace.cql.processor.worker;

import dev.millrace.cql.processor.relation.Counter;
import dev.millrace.cql.runtime.flow.FlowTime;
import dev.millrace.cql.runtime.ring.Parker;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker with its own thread, which sleeps while there is no work. A wake-up costs both threads some microseconds: a
 * source runs a batch that takes less time itself, if no other thread is acting as the worker. On a busy machine it may
 * take long until the thread is scheduled: a source whose ring is full then acts as the worker for a while.
 *
 * <p>Threads: those of a {@link Worker}; {@link #run()} is the worker itself. No wake-up is lost: a sleeper sets a flag
 * before it reads its rings for the last time, and a waker reads that flag after its rows are visible.
 */
public final class ThreadWorker extends Worker implements Runnable
{
    private static final Logger LOG = LoggerFactory.getLogger(ThreadWorker.class);
    /** On small machines, spinning takes the core from the other threads. */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() < 4 ? 0 : 500;
    private static final int YIELDS = 8;
    /** A batch that takes less time costs less than its hand-over. */
    private static final long LEAST_NS = 10_000;
    /** Maximum number of times that a source processes rows that others have queued in the meantime. */
    private static final int MOST_PASSES = 4;
    private static final long LONGEST_SLEEP_NS = TimeUnit.MINUTES.toNanos(1);

    private final Counter sleeps = new Counter();
    private final Parker parker = new Parker();
    private final Thread thread;
    /** Rings of other workers that this worker fills. */
    private final List<WorkerInput> filled = new CopyOnWriteArrayList<>();
    /** Workers that fill rings of this worker. */
    private volatile ThreadWorker[] feeders = new ThreadWorker[0];
    private volatile boolean isStarted;
    private volatile boolean stopping;
    /** Whether it is stopping and has processed everything from sources, so that it fills no other ring any more. */
    private volatile boolean drained;
    private volatile String failure;

    /**
     * Creates a worker whose thread is not started yet.
     *
     * @param name    name of the thread
     * @param threads creates the thread
     */
    ThreadWorker(final String name, final ThreadFactory threads)
    {
        thread = threads.newThread(this);
        thread.setName(name);
    }

    /** Adds a ring that another worker fills, and that is emptied before this worker ends. */
    public synchronized void add(final WorkerInput input, final ThreadWorker feeder)
    {
        if (Arrays.stream(feeders).noneMatch(each -> each == feeder))
        {
            final ThreadWorker[] more = Arrays.copyOf(feeders, feeders.length + 1);
            more[feeders.length] = feeder;
            feeders = more;
        }
        feeder.filled.add(input);
        add(input);
    }

    /** This worker no longer fills a ring. */
    public void fillsNoMore(final WorkerInput input)
    {
        filled.remove(input);
    }

    void start()
    {
        thread.start();
        isStarted = true;
    }

    @Override
    boolean enter(final long expectedNs)
    {
        return expectedNs < LEAST_NS && isStarted && !stopping && !drained && claim();
    }

    @Override
    void leave()
    {
        boolean isMine = true;
        try
        {
            for (int passes = 0; isMine; passes++)
            {
                free();
                isMine = false;
                VarHandle.fullFence();
                if (hasWork())
                {
                    isMine = passes < MOST_PASSES && waitingNs() < LEAST_NS && claim();
                    if (!isMine)
                    {
                        wake();
                        return;
                    }
                    work();
                }
            }
        }
        finally
        {
            if (isMine)
            {
                // An internal error is passed to the source; the others continue.
                free();
            }
        }
    }

    @Override
    boolean isTimed()
    {
        return true;
    }

    @Override
    void wake()
    {
        VarHandle.fullFence();
        // The thread that acts as the worker reads the rings again when it is finished.
        if (!isTaken())
        {
            parker.wake();
        }
    }

    @Override
    void help()
    {
        if (claim())
        {
            try
            {
                work();
            }
            finally
            {
                leave();
            }
        }
    }

    @Override
    public void run()
    {
        try
        {
            workUntilStopped();
        }
        // Instances catch exceptions of pipelines; anything else is an internal error, and sources must not wait for a
        // dead worker.
        catch (final Throwable bug)
        {
            LOG.error("internal error, please report it: a worker ended early and its rows are rejected from now on, " +
                "worker={}", name(), bug);
            failure = bug.toString();
            // The other workers continue with what they have: nothing more comes from here.
            filled.forEach(input -> input.sendTime(FlowTime.NEVER - 1));
        }
        finally
        {
            close();
            drained = true;
        }
    }

    private void close()
    {
        boolean isMine = claim();
        while (!isMine && !isAbandoned())
        {
            Thread.yield();
            isMine = claim();
        }
        if (isMine)
        {
            end();
            free();
        }
    }

    /** Works until nothing is queued; false if nothing was queued, or a source acts as the worker. */
    private boolean workAll()
    {
        if (!hasWork() || !claim())
        {
            return false;
        }
        try
        {
            while (!isAbandoned() && work())
            {
                // One batch per ring, in turn.
            }
        }
        finally
        {
            free();
        }
        return true;
    }

    private void workUntilStopped()
    {
        int idleRounds = 0;
        while (!isAbandoned())
        {
            final boolean ending = stopping;
            final boolean isFed = isFed();
            if (workAll())
            {
                idleRounds = 0;
            }
            else if (ending && !isFed && !hasWork())
            {
                break;
            }
            else if (ending)
            {
                drained |= !isTaken() && !hasWork();
                Thread.yield();
            }
            else
            {
                idle(idleRounds++);
            }
        }
    }

    /** Whether other workers may still fill rings of this one. */
    private boolean isFed()
    {
        for (final ThreadWorker feeder : feeders)
        {
            if (!feeder.drained)
            {
                return true;
            }
        }
        return false;
    }

    private void idle(final int round)
    {
        if (round < SPINS)
        {
            Thread.onSpinWait();
        }
        else if (round < SPINS + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            sleep();
        }
    }

    private void sleep()
    {
        parker.prepare();
        // A source that acts as the worker wakes this thread up when it is done.
        if (hasWork() && !isTaken() || stopping)
        {
            parker.cancel();
            return;
        }
        sleeps.add(1);
        parker.park(LONGEST_SLEEP_NS);
        // If a sink leaves the thread interrupted, it could never sleep again.
        Thread.interrupted();
    }

    @Override
    public void stop()
    {
        stopping = true;
        parker.wake();
    }

    @Override
    public boolean awaitEnd(final long deadlineNs)
    {
        if (joined(deadlineNs))
        {
            return true;
        }
        abandon();
        thread.interrupt();
        joined(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
        return false;
    }

    private boolean joined(final long deadlineNs)
    {
        boolean interrupted = false;
        while (thread.isAlive() && deadlineNs - System.nanoTime() > 0)
        {
            try
            {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
            }
            catch (final InterruptedException wakeUp)
            {
                // The stop has a time limit anyway; the caller sees the interrupt afterwards.
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    @Override
    public String name()
    {
        return thread.getName();
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = super.statistics();
        figures.put("sleeps", sleeps.get());
        figures.put("condition", failure == null ? "ok" : "ended by " + failure);
        return figures;
    }
}
