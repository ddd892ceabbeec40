package dev.millrace.tuning.harness;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;

/** Output of the hand-written loops: a batch that is sent to a sink when it is full or flushed. */
public final class RowWriter
{
    public final EventBatch batch;
    private final EventBatchSink sink;
    private int rows;

    public RowWriter(final BatchSchema output, final EventBatchSink sink)
    {
        batch = new EventBatch(output);
        this.sink = sink;
    }

    /** Starts a row and returns its index in the columns. */
    public int add(final long timeNs)
    {
        if (rows == EventBatch.CAPACITY)
        {
            flush();
        }
        batch.useTimestampPerRow()[rows] = timeNs;
        return rows++;
    }

    public void flush()
    {
        if (rows > 0)
        {
            batch.size(rows);
            send();
            batch.clear();
            rows = 0;
        }
    }

    private void send()
    {
        try
        {
            sink.onBatch(batch);
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException("rows of a hand-written loop were refused", e);
        }
    }
}
