package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;

/** Those rows of a batch whose times do not go backwards. Filled anew for each batch. Threads: the engine's. */
final class AcceptedRows
{
    private final long[] timesNs = new long[EventBatch.CAPACITY];
    private final int[] rows = new int[EventBatch.CAPACITY];
    private EventBatch batch;
    private int count;
    private long closesNs;

    /** Begins a batch; rows up to a time are all there are of theirs. */
    void begin(final EventBatch of, final long closesUpToNs)
    {
        batch = of;
        count = 0;
        closesNs = closesUpToNs;
    }

    void add(final int row, final long timeNs)
    {
        timesNs[count] = timeNs;
        rows[count++] = row;
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
