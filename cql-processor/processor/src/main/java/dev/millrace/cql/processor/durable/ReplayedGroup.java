package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.partition.RowDecoder;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/** Decodes the records of a group and passes them to its pipelines. Confined to the thread that replays. */
final class ReplayedGroup
{
    private final RowDecoder decoder;
    private final EventBatch time;
    private final EventBatchSink target;

    ReplayedGroup(final BatchSchema schema, final IntPredicate columns, final EventBatchSink target)
    {
        decoder = RowDecoder.forJournal(schema, columns);
        time = new EventBatch(schema);
        this.target = target;
    }

    void rows(final ByteBuffer record)
    {
        pass(decoder.decode(record));
    }

    void time(final long timeNs)
    {
        time.clear();
        time.baseTimestampNs(timeNs);
        pass(time);
    }

    private void pass(final EventBatch batch)
    {
        try
        {
            target.onBatch(batch);
        }
        catch (final EventRejectedException unexpected)
        {
            throw new IllegalStateException("pipelines reject rows, not batches", unexpected);
        }
    }
}
