package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;

/** Receives rows from an index. Not thread-safe. Failure: must not throw, or other statements miss the batch. */
public interface IndexedQuery
{
    /**
     * A condition that all rows satisfy that it accepts.
     *
     * @return filter; {@code null} for a statement that receives all rows, or that must receive heartbeats
     */
    RowFilter filter();

    /**
     * Processes all rows of a batch, or a heartbeat when it has none. The rows satisfy an exact filter.
     *
     * @param batch lent
     */
    void onBatch(EventBatch batch);

    /**
     * Processes some rows of a batch. The rows satisfy an exact filter.
     *
     * @param batch lent
     * @param rows  row numbers, in order
     * @param count at least one
     */
    void onRows(EventBatch batch, int[] rows, int count);
}
