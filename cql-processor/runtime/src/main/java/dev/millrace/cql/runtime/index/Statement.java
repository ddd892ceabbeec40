package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;

/** Takes rows from an index. Threads: one at a time. Failure: must not throw, or other statements miss the batch. */
public interface Statement
{
    /**
     * Which rows it wants at most.
     *
     * @return filter; {@code null} for all rows, and for whoever must hear that time passes
     */
    RowFilter filter();

    /**
     * Takes all rows of a batch, or hears of the time when it has none.
     *
     * @param batch lent
     */
    void onBatch(EventBatch batch);

    /**
     * Takes some rows of a batch.
     *
     * @param batch lent
     * @param rows  their numbers, in order
     * @param count how many, at least one
     */
    void onRows(EventBatch batch, int[] rows, int count);
}
