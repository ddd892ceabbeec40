package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.index.StatementIndex;
import java.util.List;

/**
 * Pipeline instances that one thread gives the batches of a channel to, behind an index of their filters. Threads: that
 * thread; made and closed while no row is on its way.
 */
final class IndexedInstances
{
    private final List<PipelineInstance> instances;
    private final StatementIndex index;
    private final Counter rows = new Counter();

    /**
     * Makes the index.
     *
     * @param schema    of the channel
     * @param instances in the order in which they take a batch
     */
    IndexedInstances(final BatchSchema schema, final PipelineInstance[] instances)
    {
        this.instances = List.of(instances);
        index = new StatementIndex(schema, this.instances);
        this.instances.forEach(instance -> instance.passed().begin(rows));
    }

    /**
     * Gives a batch or heartbeat to those who want it.
     *
     * @param batch lent
     */
    void onBatch(final EventBatch batch)
    {
        index.onBatch(batch);
        rows.add(batch.size());
    }

    /** Whether rows of a batch can be given to all of them as they are. */
    boolean takesSelections()
    {
        return !index.hasColumns();
    }

    /**
     * Gives some rows of a batch to all of them.
     *
     * @param batch     lent
     * @param selection numbers of rows, in order
     * @param count     how many
     */
    void onRows(final EventBatch batch, final int[] selection, final int count)
    {
        for (final PipelineInstance instance : instances)
        {
            instance.onRows(batch, selection, count);
        }
        rows.add(count);
    }

    /** The instances take their rows from elsewhere, or no more. */
    void close()
    {
        instances.forEach(instance -> instance.passed().end(rows));
    }
}
