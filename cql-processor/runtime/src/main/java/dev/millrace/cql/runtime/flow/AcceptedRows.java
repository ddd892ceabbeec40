package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import java.util.stream.IntStream;

/**
 * The rows of a batch whose times do not decrease. Refilled for each batch; when all rows are accepted, their times are
 * read from the batch. Confined to the engine thread.
 */
final class AcceptedRows
{
    /** The numbers of all rows of a batch. */
    static final int[] ALL = IntStream.range(0, EventBatch.CAPACITY).toArray();

    private final long[] ownTimesNs = new long[EventBatch.CAPACITY];
    private final int[] ownRows = new int[EventBatch.CAPACITY];
    private long[] timesNs;
    private int[] rows;
    private EventBatch batch;
    private int count;
    private long closesNs;

    /** Starts a batch. No further row will have a time up to {@code closesUpToNs}. */
    void begin(final EventBatch of, final long closesUpToNs)
    {
        batch = of;
        count = 0;
        closesNs = closesUpToNs;
        timesNs = ownTimesNs;
        rows = ownRows;
    }

    /** Accepts all rows of a batch that has one time per row. */
    void addAll()
    {
        timesNs = batch.timestampsNs();
        rows = ALL;
        count = batch.size();
    }

    void add(final int row, final long timeNs)
    {
        ownTimesNs[count] = timeNs;
        ownRows[count++] = row;
    }

    EventBatch batch()
    {
        return batch;
    }

    long[] timesNs()
    {
        return timesNs;
    }

    int[] rows()
    {
        return rows;
    }

    int count()
    {
        return count;
    }

    long closesNs()
    {
        return closesNs;
    }
}
