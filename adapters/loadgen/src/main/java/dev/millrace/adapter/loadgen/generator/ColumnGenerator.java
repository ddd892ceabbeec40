package dev.millrace.adapter.loadgen.generator;

import dev.millrace.api.event.EventBatch;

/** Generates the values of a column. Confined to one thread. */
@FunctionalInterface
interface ColumnGenerator
{
    /**
     * Writes the next value.
     *
     * @param dueNs due time of the event
     */
    void fill(EventBatch batch, int row, long dueNs);
}
