package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;

/** What the hand-written loops put their rows into: a batch that goes to a sink when it is full or flushed. */
final class RowWriter
{
    final EventBatch batch;
    private final RowSum sink;
    private int rows;

    RowWriter(final String statement, final RowSum sink)
    {
        batch = new EventBatch(new BatchSchema(
            MatchTypes.of(statement), new Dictionary[MatchTypes.of(statement).properties().size()]));
        this.sink = sink;
    }

    /** Begins a row: gives its place in the columns. */
    int add(final long timeNs)
    {
        if (rows == EventBatch.CAPACITY)
        {
            flush();
        }
        batch.useTimestampPerRow()[rows] = timeNs;
        return rows++;
    }

    void flush()
    {
        if (rows > 0)
        {
            batch.size(rows);
            sink.onBatch(batch);
            batch.clear();
            rows = 0;
        }
    }
}
