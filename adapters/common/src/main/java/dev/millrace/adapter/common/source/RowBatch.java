package dev.millrace.adapter.common.source;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;

/** The batch that a source fills and sends. Confined to the source's thread; allocates nothing. */
public final class RowBatch
{
    /** Receives the number of rows of each batch that was sent, and the number of its last row. */
    @FunctionalInterface
    public interface SentListener
    {
        /** Called after each batch, on the thread of the source. */
        void sent(int rows, long lastNumber);
    }

    private final EventBatch batch;
    private final EventBatchSender sender;
    private final SentListener listener;
    /** 0 if rows have no numbers. */
    private int producer;
    private long[] sequences;
    private long[] originsNs;
    private int rows;
    private long lastNumber;

    /** Creates an empty batch of the event type that the sender expects. */
    public RowBatch(final EventBatchSender sender, final SentListener listener)
    {
        this.sender = sender;
        this.listener = listener;
        batch = new EventBatch(sender.schema());
        begin();
    }

    /**
     * Numbers the rows that follow.
     *
     * @param id    of the producer; 0 for rows without numbers
     * @param after number of the row before the first one
     */
    public void number(final int id, final long after)
    {
        producer = id;
        lastNumber = after;
        begin();
    }

    /** The number of the last row that was added. */
    public long lastNumber()
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

    /** The batch to write the next row to; it is the same one always. */
    public EventBatch batch()
    {
        return batch;
    }

    /** Index of the next row. */
    public int rows()
    {
        return rows;
    }

    /** Adds the row that was written at {@link #rows}, and sends the batch if it is full. */
    public void add(final long number, final long originNs)
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
    public void flush()
    {
        if (rows > 0)
        {
            final int count = rows;
            batch.size(count);
            try
            {
                sender.send(batch);
                listener.sent(count, lastNumber);
            }
            finally
            {
                begin();
            }
        }
    }
}
