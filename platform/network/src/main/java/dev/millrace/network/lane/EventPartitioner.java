package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.partition.RowSplitter;
import java.util.Arrays;

/**
 * Passes each row of a batch to one of several stages: rows with equal values of a property always to the same one. A
 * stage without rows of a batch receives a heartbeat, so that its time advances. Not thread-safe.
 */
final class EventPartitioner
{
    private final RowSplitter rows;
    private final EventBatch heartbeat;
    private final short[] stageOf = new short[PartitionHash.PARTITIONS];
    /** The last time of which each stage knows. */
    private long[] lastNs = new long[0];

    /** @param column of the property */
    EventPartitioner(final BatchSchema schema, final int column)
    {
        rows = new RowSplitter(schema, column);
        heartbeat = new EventBatch(schema);
    }

    /**
     * Passes a batch.
     *
     * @param targets contains the inlets of the stages
     * @param first   index of the first one
     */
    void pass(final EventBatch batch, final Inlet[] targets, final int first)
    {
        final int stages = targets.length - first;
        if (batch.size() == 0 || stages == 1)
        {
            for (int i = first; i < targets.length; i++)
            {
                targets[i].accept(batch);
            }
            return;
        }
        assign(stages);
        rows.split(batch, stageOf, stages, -1);
        final long lastOfBatchNs = batch.timestampNs(batch.size() - 1);
        for (int i = 0; i < stages; i++)
        {
            if (rows.count(i) > 0)
            {
                lastNs[i] = batch.timestampNs(rows.rows(i)[rows.count(i) - 1]);
                targets[first + i].accept(rows.batch(batch, i));
            }
        }
        // Another row may have the time of the last one.
        final long progressNs = lastOfBatchNs - 1;
        for (int i = 0; i < stages; i++)
        {
            if (lastNs[i] < progressNs)
            {
                lastNs[i] = progressNs;
                heartbeat.clear();
                heartbeat.baseTimestampNs(progressNs);
                targets[first + i].accept(heartbeat);
            }
        }
    }

    private void assign(final int stages)
    {
        if (lastNs.length != stages)
        {
            for (int partition = 0; partition < stageOf.length; partition++)
            {
                stageOf[partition] = (short)(partition % stages);
            }
            lastNs = new long[stages];
            Arrays.fill(lastNs, Long.MIN_VALUE);
        }
    }
}
