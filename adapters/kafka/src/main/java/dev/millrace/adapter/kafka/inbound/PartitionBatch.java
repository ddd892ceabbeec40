package dev.millrace.adapter.kafka.inbound;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;

/**
 * The batch that a thread of a source fills with the rows of its partitions, and sends. Confined to that thread;
 * allocates nothing.
 */
final class PartitionBatch
{
    final EventBatch batch;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final DeadLetters deadLetters;
    private int rows;
    private long[] originsNs;
    private boolean isNumbered;
    private long flushes;

    PartitionBatch(final EventBatchSender sender, final SourceCounters counters, final DeadLetters deadLetters)
    {
        this.sender = sender;
        this.counters = counters;
        this.deadLetters = deadLetters;
        batch = new EventBatch(sender.schema());
        discard();
    }

    /** Drops the rows, which are read again. */
    void discard()
    {
        batch.clear();
        rows = 0;
        isNumbered = false;
        originsNs = batch.useOrigins();
    }

    /** How often all rows and rejected records up to then were passed on. */
    long flushes()
    {
        return flushes;
    }

    /** Index of the next row. */
    int rows()
    {
        return rows;
    }

    /**
     * Adds the row that was written at {@link #rows}, and sends the batch if it is full.
     *
     * @param producerId 0 if the row has no number
     */
    void add(final int producerId, final long number, final long originNs)
    {
        if (producerId > 0)
        {
            final long[] sequences = isNumbered ? batch.sequences() : batch.useSequences();
            isNumbered = true;
            sequences[rows] = RowSequence.of(producerId, number);
        }
        originsNs[rows++] = originNs;
        if (rows == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    /**
     * Sends the rows, if there are any, after rejected records have reached their topic; waits while the channel is
     * full.
     */
    void flush()
    {
        deadLetters.await();
        if (rows > 0)
        {
            final int count = rows;
            batch.size(count);
            try
            {
                sender.send(batch);
                counters.sent(count);
            }
            finally
            {
                discard();
            }
        }
        flushes++;
    }
}
