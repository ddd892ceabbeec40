package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.runtime.row.RowHashes;
import java.util.Arrays;

/**
 * Routes a source's rows to the engines of a flow: to all, to each in turn, or to the engine that owns the value of the
 * row. Engines without rows in a batch receive the current time, which windows and patterns need.
 */
public final class FlowRouter extends RingRouter
{
    private final FlowRoute.Kind kind;
    private final WorkerRoutingTable table;
    private final RowHashes hashes;
    private final boolean hasTies;
    private final long[] values = new long[EventBatch.CAPACITY];
    private final int[][] selections;
    private final int[] counts;
    private int next;

    /**
     * @param inputs one per engine
     * @param kind   how an engine is selected
     * @param table  owners of values
     * @param hashes hashes of the values; {@code null} if rows are not routed by value
     * @param ties   whether consecutive rows may have the same time
     */
    public FlowRouter(final WorkerInput[] inputs, final FlowRoute.Kind kind, final WorkerRoutingTable table,
        final RowHashes hashes, final boolean ties)
    {
        super(inputs);
        this.kind = kind;
        this.table = table;
        this.hashes = hashes;
        hasTies = ties;
        selections = new int[inputs.length][hashes == null ? 0 : EventBatch.CAPACITY];
        counts = new int[inputs.length];
    }

    @Override
    void sendRows(final EventBatch batch)
    {
        final long passedNs = passedNs(batch.timestampNs(batch.size() - 1));
        switch (kind)
        {
            case ALL ->
            {
                for (int i = 0; i < inputCount(); i++)
                {
                    input(i).send(batch);
                }
            }
            case ANY ->
            {
                for (int i = 0; i < inputCount(); i++)
                {
                    if (i != next)
                    {
                        input(i).sendTime(passedNs);
                    }
                }
                input(next).send(batch);
                next = next + 1 == inputCount() ? 0 : next + 1;
            }
            default -> sendByValue(batch, passedNs);
        }
    }

    /**
     * The time up to which a row advances the engines: another row of the same time may follow unless all times differ.
     */
    private long passedNs(final long rowNs)
    {
        return hasTies && rowNs != Long.MIN_VALUE ? rowNs - 1 : rowNs;
    }

    private void sendByValue(final EventBatch batch, final long passedNs)
    {
        select(batch);
        for (int worker = 0; worker < counts.length; worker++)
        {
            final int count = counts[worker];
            send(worker, batch, selections[worker], count);
            if (count == 0 || passedNs(batch.timestampNs(selections[worker][count - 1])) < passedNs)
            {
                input(worker).sendTime(passedNs);
            }
        }
    }

    private void select(final EventBatch batch)
    {
        hashes.of(batch, values);
        Arrays.fill(counts, 0);
        final int size = batch.size();
        for (int row = 0; row < size; row++)
        {
            final int worker = table.worker(WorkerRoutingTable.slot(values[row]));
            selections[worker][counts[worker]++] = row;
        }
    }
}
