package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.Pipeline;

/**
 * A pipeline downstream of an index. Confined to the thread of the pipeline.
 *
 * @param pipeline receives the rows
 * @param filter   of the compiled pipeline; {@code null} for all rows
 */
public record IndexedPipeline(Pipeline pipeline, RowFilter filter) implements IndexedQuery
{
    @Override
    public void onBatch(final EventBatch batch)
    {
        pipeline.onBatch(batch);
    }

    @Override
    public void onRows(final EventBatch batch, final int[] rows, final int count)
    {
        pipeline.onRows(batch, rows, count);
    }
}
