package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * PARTITION_ORDERED: each row goes to the worker that owns its partition value, so rows of one value keep their order.
 * Heartbeats go to all workers.
 */
final class KeyRouter extends RingRouter
{
    private final int column;
    private final WorkerRoutingTable table;
    private final boolean timeDriven;
    private final int[] slots = new int[EventBatch.CAPACITY];
    private final int[][] selections;
    private final int[] counts;

    /**
     * @param inputs     one per worker
     * @param column     partition column
     * @param table      owners of partition values
     * @param timeDriven whether pipelines emit rows when time passes, so that a worker without rows in a batch must
     *     receive the time
     */
    KeyRouter(final WorkerInput[] inputs, final int column, final WorkerRoutingTable table, final boolean timeDriven)
    {
        super(inputs);
        this.column = column;
        this.table = table;
        this.timeDriven = timeDriven;
        selections = new int[inputs.length][EventBatch.CAPACITY];
        counts = new int[inputs.length];
    }

    @Override
    void sendRows(final EventBatch batch)
    {
        select(batch);
        for (int worker = 0; worker < counts.length; worker++)
        {
            send(worker, batch, selections[worker], counts[worker]);
            if (counts[worker] == 0 && timeDriven)
            {
                input(worker).sendTime(batch.timestampNs(batch.size() - 1));
            }
        }
    }

    private void select(final EventBatch batch)
    {
        WorkerRoutingTable.slots(batch, column, slots);
        Arrays.fill(counts, 0);
        final int size = batch.size();
        for (int row = 0; row < size; row++)
        {
            final int worker = table.worker(slots[row]);
            selections[worker][counts[worker]++] = row;
        }
    }
}
