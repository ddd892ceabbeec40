package dev.millrace.cql.processor;

import dev.millrace.cql.runtime.Parker;
import dev.millrace.cql.runtime.SpscBatchRing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes rows out of its rings and runs its pipeline instances, one batch at a time; it sleeps while
 * there is nothing to do.
 *
 * <p>Threads: {@link #wake()} may be called by all, {@link #add} by the threads that open inputs, {@link #run()} is
 * the worker itself. No wake-up is lost: a sleeper says so before it looks at its rings for the last time, and a
 * waker looks at that flag after its rows are visible.
 */
final class Worker implements Runnable
{
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    /** Spinning costs the other threads their core on small machines. */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() < 4 ? 0 : 500;
    private static final int YIELDS = 8;
    private static final long LONGEST_SLEEP_NS = TimeUnit.MINUTES.toNanos(1);

    private final Counter sleeps = new Counter();
    private final Parker parker = new Parker();
    private final Thread thread;
    private volatile PipelineInstance[] instances = new PipelineInstance[0];
    private volatile WorkerInput[] inputs = new WorkerInput[0];
    /** Workers that fill rings of this one. */
    private volatile Worker[] feeders = new Worker[0];
    /** What rings had taken that are gone. Guarded by this. */
    private long goneRows;
    private long goneBatches;
    private volatile boolean stopping;
    private volatile boolean abandoned;
    /** Whether it is stopping and has gone through all that sources sent it, so that it feeds no other any more. */
    private volatile boolean drained;
    private volatile String failure;
    // Guarded by this.
    private boolean ended;

    /**
     * Makes a worker with its thread, not started yet.
     *
     * @param name    of the thread
     * @param threads makes it
     */
    Worker(final String name, final ThreadFactory threads)
    {
        thread = threads.newThread(this);
        thread.setName(name);
    }

    /** Gives an instance to this worker, so that it looks for changes of its relations; at any time. */
    synchronized void add(final PipelineInstance instance)
    {
        final PipelineInstance[] more = Arrays.copyOf(instances, instances.length + 1);
        more[instances.length] = instance;
        instances = more;
    }

    /** Takes an instance away, at any time. */
    synchronized void remove(final PipelineInstance instance)
    {
        instances = Arrays.stream(instances).filter(each -> each != instance).toArray(PipelineInstance[]::new);
    }

    /** Takes a ring away that is empty and that nobody sends into any more. */
    synchronized void remove(final WorkerInput input)
    {
        inputs = Arrays.stream(inputs).filter(each -> each != input).toArray(WorkerInput[]::new);
        goneRows += input.rows();
        goneBatches += input.batches();
    }

    /** Gives a further ring to this worker, at any time. */
    synchronized void add(final WorkerInput input)
    {
        final WorkerInput[] more = Arrays.copyOf(inputs, inputs.length + 1);
        more[inputs.length] = input;
        inputs = more;
        if (ended)
        {
            input.close();
        }
    }

    /** Gives a ring to this worker that another one fills, and that is emptied before this one ends. */
    synchronized void add(final WorkerInput input, final Worker feeder)
    {
        if (Arrays.stream(feeders).noneMatch(each -> each == feeder))
        {
            final Worker[] more = Arrays.copyOf(feeders, feeders.length + 1);
            more[feeders.length] = feeder;
            feeders = more;
        }
        add(input);
    }

    void start()
    {
        thread.start();
    }

    /** Wakes the worker up when it sleeps; call it after the rows or changes for it are visible. */
    void wake()
    {
        parker.wake();
    }

    @Override
    public void run()
    {
        try
        {
            workUntilStopped();
        }
        // Instances catch what pipelines throw; anything else is our bug, and sources must not wait for a dead worker.
        catch (final Throwable bug)
        {
            LOG.error("our bug, please report it: a worker ended early and its rows are rejected from now on, " +
                "worker={}", name(), bug);
            failure = bug.toString();
        }
        finally
        {
            end();
        }
    }

    private void workUntilStopped()
    {
        int idleRounds = 0;
        while (!abandoned)
        {
            final boolean ending = stopping;
            final boolean isFed = isFed();
            if (work())
            {
                idleRounds = 0;
            }
            else if (ending && !isFed)
            {
                break;
            }
            else if (ending)
            {
                drained = true;
                Thread.yield();
            }
            else
            {
                idle(idleRounds++);
            }
        }
    }

    /** Whether others may still fill rings of this worker. */
    private boolean isFed()
    {
        for (final Worker feeder : feeders)
        {
            if (!feeder.drained)
            {
                return true;
            }
        }
        return false;
    }

    private synchronized void end()
    {
        drained = true;
        ended = true;
        for (final WorkerInput input : inputs)
        {
            input.close();
        }
    }

    private boolean work()
    {
        boolean worked = false;
        for (final WorkerInput input : inputs)
        {
            final int polled = input.poll();
            if (polled != SpscBatchRing.EMPTY)
            {
                if (!input.isAhead())
                {
                    runAhead();
                }
                input.run(polled);
                worked = true;
            }
        }
        for (final PipelineInstance instance : instances)
        {
            if (instance.hasChanges())
            {
                instance.applyChanges();
                worked = true;
            }
        }
        return worked;
    }

    /**
     * Nothing waits for the time of a silent relation; so what one thread puts into it and then sends to a stream must
     * be seen in this order. Rows in hand were handed over before the look at these rings.
     */
    private void runAhead()
    {
        for (final WorkerInput input : inputs)
        {
            for (int waiting = input.isAhead() ? input.waitingRows() : 0; waiting > 0;)
            {
                final int polled = input.poll();
                waiting -= Math.max(1, input.polledRecords());
                input.run(polled);
            }
        }
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
        if (hasWork() || stopping)
        {
            parker.cancel();
            return;
        }
        sleeps.add(1);
        parker.park(LONGEST_SLEEP_NS);
        // A sink that leaves the thread interrupted would keep it from ever sleeping again.
        Thread.interrupted();
    }

    private boolean hasWork()
    {
        for (final WorkerInput input : inputs)
        {
            if (!input.isEmpty())
            {
                return true;
            }
        }
        for (final PipelineInstance instance : instances)
        {
            if (instance.hasChanges())
            {
                return true;
            }
        }
        return false;
    }

    /** Asks the worker to end as soon as its rings are empty. */
    void stop()
    {
        stopping = true;
        wake();
    }

    /**
     * Waits for the worker to end; after that it is told to give up what it still holds.
     *
     * @param deadlineNs of {@link System#nanoTime()}
     * @return whether it ended by itself
     */
    boolean awaitEnd(final long deadlineNs)
    {
        if (joined(deadlineNs))
        {
            return true;
        }
        abandoned = true;
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
                // The stop is bounded anyway; the caller sees the interrupt afterwards.
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    String name()
    {
        return thread.getName();
    }

    Map<String, Object> statistics()
    {
        long rows = 0;
        long batches = 0;
        synchronized (this)
        {
            rows = goneRows;
            batches = goneBatches;
            for (final WorkerInput input : inputs)
            {
                rows += input.rows();
                batches += input.batches();
            }
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("worker", name());
        figures.put("rows", rows);
        figures.put("batches", batches);
        figures.put("meanBatch", batches == 0 ? 0.0 : (double)rows / batches);
        figures.put("sleeps", sleeps.get());
        figures.put("condition", failure == null ? "ok" : "ended by " + failure);
        return figures;
    }

    /** The figures of the rings into this worker. */
    List<Map<String, Object>> ringStatistics()
    {
        final List<Map<String, Object>> figures = new ArrayList<>();
        for (final WorkerInput input : inputs)
        {
            final Map<String, Object> figure = new LinkedHashMap<>();
            figure.put("worker", name());
            figure.put("rows", input.rows());
            figure.put("waitingRows", input.waitingRows());
            figure.put("capacityRows", WorkerInput.RING_ROWS);
            figure.put("sourceWaits", input.waits());
            figures.add(figure);
        }
        return figures;
    }
}
