package dev.millrace.cql.processor.worker;

import dev.millrace.cql.runtime.ring.SpscBatchRing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Removes rows from its rings and runs its pipeline instances, one batch at a time: either a dedicated thread, assisted
 * by sources whose rings are full, or the threads of the sources in turn.
 *
 * <p>Threads: a single thread at a time acts as the worker, determined by a compare-and-set; {@link #work()} and the
 * methods that it calls are confined to that thread. {@link #wake()}, {@link #enter()} and {@link #help()} may be
 * called by any thread, {@link #add} and {@link #remove} by the threads that open inputs and change rules. No row is
 * missed: a thread that stops acting as the worker reads the rings once more afterwards, and a thread that has put rows
 * into a ring checks for the worker afterwards.
 */
public abstract class Worker
{
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean isAbandoned;
    private volatile PipelineInstance[] instances = new PipelineInstance[0];
    private volatile WorkerInput[] inputs = new WorkerInput[0];
    /** The rows taken by removed rings. Guarded by this. */
    private long goneRows;
    private long goneBatches;
    // Guarded by this.
    private boolean ended;

    /** Adds an instance, so that the worker checks for changes of its relations; may be called at any time. */
    public final synchronized void add(final PipelineInstance instance)
    {
        final PipelineInstance[] more = Arrays.copyOf(instances, instances.length + 1);
        more[instances.length] = instance;
        instances = more;
    }

    /** Removes an instance; may be called at any time. */
    public final synchronized void remove(final PipelineInstance instance)
    {
        instances = Arrays.stream(instances).filter(each -> each != instance).toArray(PipelineInstance[]::new);
    }

    /** Removes a ring that is empty and receives no more rows. */
    public final synchronized void remove(final WorkerInput input)
    {
        inputs = Arrays.stream(inputs).filter(each -> each != input).toArray(WorkerInput[]::new);
        goneRows += input.rows();
        goneBatches += input.batches();
    }

    /** Adds a ring; may be called at any time. */
    public final synchronized void add(final WorkerInput input)
    {
        final WorkerInput[] more = Arrays.copyOf(inputs, inputs.length + 1);
        more[inputs.length] = input;
        inputs = more;
        if (ended)
        {
            input.close();
        }
    }

    /** Notifies the worker of new work; call it after the rows or changes are visible. */
    abstract void wake();

    /**
     * Claims the role of the worker for the thread of a source, which may then run a batch itself, after the rows in
     * its ring, and must call {@link #leave()} in any case.
     *
     * @param expectedNs expected duration of the batch in nanoseconds
     * @return false if another thread is the worker, or should be: then rows go through a ring
     */
    abstract boolean enter(long expectedNs);

    /** Ends the role that {@link #enter} began. */
    abstract void leave();

    /** Whether it needs the expected duration of batches. */
    abstract boolean isTimed();

    /** Called by a source whose ring is full: works for a while unless another thread does. */
    abstract void help();

    /** Claims the role of the worker for the calling thread; returns false when another thread has it. */
    final boolean claim()
    {
        return !isTaken.get() && isTaken.compareAndSet(false, true);
    }

    /** The calling thread is no longer the worker. */
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

    /** No thread waits any more for the thread that is the worker: it ends the worker when it returns. */
    final void abandon()
    {
        isAbandoned = true;
    }

    final boolean isAbandoned()
    {
        return isAbandoned;
    }

    /** Asks the worker to end as soon as its rings are empty. */
    public abstract void stop();

    /**
     * Waits for the worker to end; afterwards the worker discards the rows that it still holds.
     *
     * @param deadlineNs deadline by {@link System#nanoTime()}
     * @return whether it ended by itself
     */
    public abstract boolean awaitEnd(long deadlineNs);

    public abstract String name();

    /** Accepts no more rows; rows still in rings are rejected. */
    final synchronized void end()
    {
        ended = true;
        for (final WorkerInput input : inputs)
        {
            input.close();
        }
    }

    /**
     * Removes one batch from each ring and runs it.
     *
     * @return whether there was any work
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
     * No row waits for the time of a silent relation. Therefore, if a thread sends rows to it and then to a stream,
     * they must be processed in this order. Rows in progress were handed over before these rings were read.
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

    /** Whether rings contain rows, or changes are queued. */
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

    /** The expected duration of the work queued in the rings. */
    final long waitingNs()
    {
        long ns = 0;
        for (final WorkerInput input : inputs)
        {
            ns += input.isEmpty() ? 0 : input.expectedNs(0);
        }
        return ns;
    }

    /** Statistics of the worker and its rings. */
    public Map<String, Object> statistics()
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

    /** Statistics of the rings into this worker. */
    public final List<Map<String, Object>> ringStatistics()
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
