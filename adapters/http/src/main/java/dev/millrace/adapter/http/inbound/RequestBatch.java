package dev.millrace.adapter.http.inbound;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import java.util.Arrays;

/** The batch into which rows of requests are decoded. Confined to the thread of the source. */
final class RequestBatch
{
    private final EventBatch batch;
    private final EventBatchSender sender;
    /** The record of each row; the first record of a request is 1. */
    private final int[] records = new int[EventBatch.CAPACITY];
    private int rows;

    RequestBatch(final EventBatchSender sender)
    {
        this.sender = sender;
        batch = new EventBatch(sender.schema());
    }

    /** The batch to write the next row to; it is the same one always. */
    EventBatch batch()
    {
        return batch;
    }

    /** Index of the next row. */
    int rows()
    {
        return rows;
    }

    boolean isFull()
    {
        return rows == EventBatch.CAPACITY;
    }

    void add(final int record)
    {
        records[rows++] = record;
    }

    void clear()
    {
        batch.clear();
        rows = 0;
    }

    /** Sends the rows, if there are any; waits while the channel is full. */
    void send(final Numbering numbering, final long originNs)
    {
        if (rows == 0)
        {
            return;
        }
        batch.size(rows);
        Arrays.fill(batch.useOrigins(), 0, rows, originNs);
        if (numbering.isStored())
        {
            final long[] sequences = batch.useSequences();
            for (int row = 0; row < rows; row++)
            {
                sequences[row] = RowSequence.of(numbering.id(), numbering.number(records[row]));
            }
        }
        try
        {
            sender.send(batch);
        }
        finally
        {
            clear();
        }
    }
}
