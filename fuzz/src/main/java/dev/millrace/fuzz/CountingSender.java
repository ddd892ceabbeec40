package dev.millrace.fuzz;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;

/** Receives and counts the rows that a decoder sends. Not thread-safe. */
final class CountingSender implements EventBatchSender
{
    static final EventType TICK = EventType.tuple("StockTick",
        new EventProperty("symbol", CqlType.CHAR, 16), new EventProperty("lastPrice", CqlType.DOUBLE));

    static final EventType ALL = EventType.tuple("All",
        new EventProperty("text", CqlType.CHAR), new EventProperty("whole", CqlType.INT),
        new EventProperty("big", CqlType.BIGINT), new EventProperty("small", CqlType.FLOAT),
        new EventProperty("number", CqlType.DOUBLE), new EventProperty("flag", CqlType.BOOLEAN),
        new EventProperty("moment", CqlType.TIMESTAMP));

    private final BatchSchema schema;
    private long accepted;
    private long rejected;

    CountingSender(final EventType type)
    {
        schema = new BatchSchema(type);
    }

    /** The counts; two decoders of the same bytes must return equal strings. */
    String counts()
    {
        return "accepted=" + accepted + " rejected=" + rejected;
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public void send(final EventBatch batch)
    {
        accepted += batch.size();
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        if (rows < 1 || reason.isEmpty() || detail.isEmpty())
        {
            throw new IllegalStateException("a rejection without rows or reason, rows=" + rows + " reason=" + reason);
        }
        rejected += rows;
    }

    @Override
    public EventBatchSender another()
    {
        throw new UnsupportedOperationException("a decoder has one sender");
    }
}
