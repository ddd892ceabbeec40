package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;

/** Finds the statements that want a row by one of its columns. Threads: one at a time. */
interface ColumnIndex
{
    /**
     * Gives each row of a batch to the statements that want it.
     *
     * @param batch at least one row
     * @param sets  where the rows go
     */
    void find(EventBatch batch, RowSets sets);
}
