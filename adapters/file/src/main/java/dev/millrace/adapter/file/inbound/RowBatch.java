package dev.millrace.adapter.file.inbound;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;

/** The batch that a source fills and sends. Confined to the source's thread; allocates nothing. */
final class RowBatch
{
    final EventBatch batch;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    /** 0 if rows have no numbers. */
    private int producer;
    private long[] sequences;
    private long[] originsNs;
    private int rows;
    private long lastNumber;

    RowBatch(final EventBatchSender sender, final SourceCounters counters)
    {
        this.sender = sender;
        this.counters = counters;
        batch = new EventBatch(sender.schema());
        begin();
    }

    /**
     * @param id    of the producer; 0 for rows without numbers
     * @param after number of the row before the first one
     */
    void number(final int id, final long after)
    {
        producer = id;
        lastNumber = after;
        begin();
    }

    /** The number of the last row that was added. */
    long lastNumber()
    {
        return lastNumber;
    }

    private void begin()
    {
        batch.clear();
        rows = 0;
        originsNs = batch.useOrigins();
        sequences = producer == 0 ? null : batch.useSequences();
    }

    /** Index of the next row. */
    int rows()
    {
        return rows;
    }

    /** Adds the row that was written at {@link #rows}, and sends the batch if it is full. */
    void add(final long number, final long originNs)
    {
        if (sequences != null)
        {
            sequences[rows] = RowSequence.of(producer, number);
        }
        originsNs[rows++] = originNs;
        lastNumber = number;
        if (rows == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    /** Sends the rows, if there are any; waits while the channel is full. */
    void flush()
    {
        if (rows > 0)
        {
            final int count = rows;
            batch.size(count);
            try
            {
                sender.send(batch);
                counters.sent(count, lastNumber);
            }
            finally
            {
                begin();
            }
        }
    }
}
