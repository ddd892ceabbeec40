package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.network.partition.RowDecoder;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.IntPredicate;

/** Decodes the records of a group or replica and passes them on. Confined to the thread that replays. */
final class ReplayedGroup
{
    private final RowDecoder decoder;
    private final EventBatch time;
    private final EventBatchSink target;
    private final Runnable clear;
    private final SequenceMarks marks;
    private final ReceivedKeys keys;

    /**
     * @param target receives rows and times
     * @param clear  removes all rows of a replica
     * @param marks  receive the numbers of rows; {@code null} for a replica, whose rows have none
     * @param keys   receive the keys of rows; {@code null} unless the channel has a primary key
     */
    ReplayedGroup(final BatchSchema schema, final IntPredicate columns, final EventBatchSink target,
        final Runnable clear, final SequenceMarks marks, final ReceivedKeys keys)
    {
        this.keys = keys;
        this.clear = clear;
        this.marks = marks;
        decoder = RowDecoder.forJournal(schema, columns);
        time = new EventBatch(schema);
        this.target = target;
    }

    /**
     * Decodes and counts the rows of a record.
     *
     * @param producers ids in this process by those in the record
     * @return to be passed on, valid until the next call
     */
    EventBatch rows(final ByteBuffer record, final Map<Integer, Integer> producers)
    {
        final EventBatch batch = decoder.decode(record);
        if (batch.hasSequences())
        {
            final long[] sequences = batch.sequences();
            for (int row = 0; row < batch.size(); row++)
            {
                final int producer = RowSequence.producer(sequences[row]);
                sequences[row] = producer == 0 ? RowSequence.NONE :
                    RowSequence.of(producers.get(producer), RowSequence.number(sequences[row]));
            }
            marks.receive(batch);
        }
        if (keys != null)
        {
            keys.replay(batch);
        }
        return batch;
    }

    /** A time without rows, to be passed on. */
    EventBatch time(final long timeNs)
    {
        time.clear();
        time.baseTimestampNs(timeNs);
        return time;
    }

    void clear()
    {
        clear.run();
    }

    /** Passes a batch to the pipelines. */
    void pass(final EventBatch batch)
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
