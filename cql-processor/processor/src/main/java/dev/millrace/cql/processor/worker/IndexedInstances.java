package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.relation.Counter;
import dev.millrace.cql.runtime.index.StatementIndex;
import java.util.List;

/**
 * Pipeline instances to which one thread passes the batches of a channel through an index of their filters. Confined to
 * that thread; created and closed while no row is in progress.
 */
final class IndexedInstances
{
    private final List<PipelineInstance> instances;
    private final StatementIndex index;
    private final Counter rows = new Counter();

    /**
     * @param instances instances in the order in which they process a batch
     */
    IndexedInstances(final PipelineInstance[] instances)
    {
        this.instances = List.of(instances);
        index = new StatementIndex(this.instances);
        this.instances.forEach(instance -> instance.passed().begin(rows));
    }

    /**
     * Passes a batch or heartbeat to the instances that need it.
     *
     * @param batch borrowed for the call
     */
    void onBatch(final EventBatch batch)
    {
        index.onBatch(batch);
        rows.add(batch.size());
    }

    /** Whether all instances can process selected rows of a batch without a copy. */
    boolean takesSelections()
    {
        return !index.hasColumns();
    }

    /**
     * Passes some rows of a batch to all instances.
     *
     * @param batch     borrowed for the call
     * @param selection row numbers in ascending order
     * @param count     number of rows
     */
    void onRows(final EventBatch batch, final int[] selection, final int count)
    {
        for (final PipelineInstance instance : instances)
        {
            instance.onRows(batch, selection, count);
        }
        rows.add(count);
    }

    /** The instances receive their rows from another route, or no more rows. */
    void close()
    {
        instances.forEach(instance -> instance.passed().end(rows));
    }
}
