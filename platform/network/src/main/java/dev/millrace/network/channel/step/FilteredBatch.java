package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * Drops rows of a batch without changing the batch, because other stages see it too: the remaining rows are copied to a
 * separate batch, which is created when the first row is dropped.
 */
final class FilteredBatch
{
    private final long[] droppedBits = new long[EventBatch.CAPACITY / Long.SIZE];
    private int droppedCount;
    private EventBatch own;

    /** Resets for the next batch. */
    void reset()
    {
        if (droppedCount > 0)
        {
            droppedCount = 0;
            Arrays.fill(droppedBits, 0L);
        }
    }

    void drop(final int row)
    {
        droppedBits[row >> 6] |= 1L << row;
        droppedCount++;
    }

    int droppedCount()
    {
        return droppedCount;
    }

    /**
     * The remaining rows.
     *
     * @param batch the incoming batch
     * @return the batch itself when no row was dropped, {@code null} when all were
     */
    EventBatch of(final EventBatch batch)
    {
        if (droppedCount == 0)
        {
            return batch;
        }
        return droppedCount == batch.size() ? null : copy(batch);
    }

    /**
     * The remaining rows, in a batch that may be changed.
     *
     * @param batch the incoming batch
     * @return own batch, without rows when all were dropped
     */
    EventBatch copy(final EventBatch batch)
    {
        if (own == null)
        {
            own = new EventBatch(batch.schema());
        }
        own.clear();
        int size = 0;
        int row = 0;
        while (row < batch.size())
        {
            if (isDropped(row))
            {
                row++;
                continue;
            }
            int end = row + 1;
            while (end < batch.size() && !isDropped(end))
            {
                end++;
            }
            own.copyRows(batch, row, size, end - row);
            size += end - row;
            row = end;
        }
        own.size(size);
        return own;
    }

    private boolean isDropped(final int row)
    {
        return (droppedBits[row >> 6] & 1L << row) != 0;
    }
}
