package dev.millrace.loadgen;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;

/** Discards batches and counts their rows: the end of the path in a benchmark of the path alone. Not thread-safe. */
final class DiscardingSender implements EventBatchSender
{
    private final BatchSchema schema = new BatchSchema(EventType.tuple("StockTick",
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("lastPrice", CqlType.DOUBLE)));
    private volatile long rows;

    long rows()
    {
        return rows;
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public void send(final EventBatch batch)
    {
        rows = rows + batch.size();
    }

    @Override
    public void reject(final int count, final String reason, final String detail)
    {
        throw new IllegalStateException("row rejected in a benchmark, reason=" + reason + " detail=" + detail);
    }

    @Override
    public EventBatchSender another()
    {
        return this;
    }
}
