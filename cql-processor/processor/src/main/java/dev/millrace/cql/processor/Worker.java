package dev.millrace.cql.processor;

import dev.millrace.cql.runtime.SpscBatchRing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes rows out of its rings and runs its pipeline instances, one batch at a time: a thread of its own, which sources
 * help that find their rings full, or the threads of the sources in turns.
 *
 * <p>Threads: one at a time is the worker, by a compare-and-set; {@link #work()} and what it calls belong to that one.
 * {@link #wake()}, {@link #enter()} and {@link #help()} may be called by all, {@link #add} and {@link #remove} by the
 * threads that open inputs and change rules. No row is left behind: who has been the worker looks at the rings once
 * more when it is no longer, and who has put rows into one looks for the worker afterwards.
 */
abstract class Worker
{
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean isAbandoned;
    private volatile PipelineInstance[] instances = new PipelineInstance[0];
    private volatile WorkerInput[] inputs = new WorkerInput[0];
    /** What rings had taken that are gone. Guarded by this. */
    private long goneRows;
    private long goneBatches;
    // Guarded by this.
    private boolean ended;

    /** Gives an instance to this worker, so that it looks for changes of its relations; at any time. */
    final synchronized void add(final PipelineInstance instance)
    {
        final PipelineInstance[] more = Arrays.copyOf(instances, instances.length + 1);
        more[instances.length] = instance;
        instances = more;
    }

    /** Takes an instance away, at any time. */
    final synchronized void remove(final PipelineInstance instance)
    {
        instances = Arrays.stream(instances).filter(each -> each != instance).toArray(PipelineInstance[]::new);
    }

    /** Takes a ring away that is empty and that nobody sends into any more. */
    final synchronized void remove(final WorkerInput input)
    {
        inputs = Arrays.stream(inputs).filter(each -> each != input).toArray(WorkerInput[]::new);
        goneRows += input.rows();
        goneBatches += input.batches();
    }

    /** Gives a further ring to this worker, at any time. */
    final synchronized void add(final WorkerInput input)
    {
        final WorkerInput[] more = Arrays.copyOf(inputs, inputs.length + 1);
        more[inputs.length] = input;
        inputs = more;
        if (ended)
        {
            input.close();
        }
    }

    /** Lets the worker see what is for it; call it after the rows or changes are visible. */
    abstract void wake();

    /**
     * Makes the thread of a source the worker: it may run a batch itself then, after what its ring has, and calls
     * {@link #leave()} in any case.
     *
     * @param expectedNs how long the batch is likely to take
     * @return false when another thread is the worker, or is to be: rows go through a ring
     */
    abstract boolean enter(long expectedNs);

    /** Ends what {@link #enter} began. */
    abstract void leave();

    /** Whether it asks how long batches take. */
    abstract boolean isTimed();

    /** A source has no room in its ring: works for a while unless somebody does. */
    abstract void help();

    /** Makes the calling thread the worker unless another one is. */
    final boolean claim()
    {
        return !isTaken.get() && isTaken.compareAndSet(false, true);
    }

    /** The calling thread is the worker no longer. */
    final void free()
    {
        if (isAbandoned)
        {
            end();
        }
        isTaken.set(false);
    }

    final boolean isTaken()
    {
        return isTaken.get();
    }

    /** Nobody waits any more for the thread that is the worker: it ends when it comes back. */
    final void abandon()
    {
        isAbandoned = true;
    }

    final boolean isAbandoned()
    {
        return isAbandoned;
    }

    /** Asks the worker to end as soon as its rings are empty. */
    abstract void stop();

    /**
     * Waits for the worker to end; after that it is told to give up what it still holds.
     *
     * @param deadlineNs of {@link System#nanoTime()}
     * @return whether it ended by itself
     */
    abstract boolean awaitEnd(long deadlineNs);

    abstract String name();

    /** Takes no rows any more; what rings still hold is rejected. */
    final synchronized void end()
    {
        ended = true;
        for (final WorkerInput input : inputs)
        {
            input.close();
        }
    }

    /**
     * Takes one batch out of each ring and runs it.
     *
     * @return whether there was anything
     */
    final boolean work()
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
    final void runAhead()
    {
        for (final WorkerInput input : inputs)
        {
            if (input.isAhead())
            {
                input.runWaiting();
            }
        }
    }

    /** Whether rings or changes wait. */
    final boolean hasWork()
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

    /** How long what waits in the rings is likely to take. */
    final long waitingNs()
    {
        long ns = 0;
        for (final WorkerInput input : inputs)
        {
            ns += input.isEmpty() ? 0 : input.expectedNs(0);
        }
        return ns;
    }

    /** Figures of the worker and its rings. */
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
        return figures;
    }

    /** The figures of the rings into this worker. */
    final List<Map<String, Object>> ringStatistics()
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
