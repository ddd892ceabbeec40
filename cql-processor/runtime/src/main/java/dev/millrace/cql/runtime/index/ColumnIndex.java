package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;

/** Finds the statements that accept a row by one of its columns. Not thread-safe. */
interface ColumnIndex
{
    /**
     * Adds each row of a batch to the sets of the statements that accept it.
     *
     * @param batch at least one row
     */
    void find(EventBatch batch, RowSets sets);
}
