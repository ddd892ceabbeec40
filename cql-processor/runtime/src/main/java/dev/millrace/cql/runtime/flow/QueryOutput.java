package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.runtime.RejectionHandler;

/**
 * Collects the rows that a query emits in a batch and passes full batches to the sink.
 *
 * <p>Confined to the engine thread, except {@link #rowsOut}. Ownership: the batch is lent to the sink for the call.
 * Failure: exceptions of a sink are thrown by {@link #flush} and {@link #heartbeat}, not in the middle of an instant.
 */
public final class QueryOutput
{
    private final String queryId;
    private final boolean stream;
    private final EventBatch batch;
    private final EventBatchSink sink;
    private final RejectionHandler rejection;
    private final long[] timesNs;
    private final byte[] kinds;
    private int size;
    private volatile long rowsOut;
    private Throwable failure;

    /**
     * @param stream    whether the query is a stream, whose rows have no kinds
     * @param rejection receives rows that the sink refuses
     */
    public QueryOutput(final String queryId, final boolean stream, final BatchSchema schema,
        final EventBatchSink sink, final RejectionHandler rejection)
    {
        this.queryId = queryId;
        this.stream = stream;
        this.sink = sink;
        this.rejection = rejection;
        batch = new EventBatch(schema);
        timesNs = batch.useTimestampPerRow();
        kinds = batch.useKinds();
    }

    public String queryId()
    {
        return queryId;
    }

    /** Rows passed to the sink so far. Thread-safe. */
    public long rowsOut()
    {
        return rowsOut;
    }

    /** The batch whose columns the caller fills; always the same object. */
    public EventBatch batch()
    {
        return batch;
    }

    /**
     * Starts a row. The caller sets all its columns; columns with a null bitmap are not null unless they are set to
     * null.
     *
     * @param kind {@link EventBatch#INSERT} or {@link EventBatch#DELETE}
     * @return row number in the batch
     */
    public int row(final long timeNs, final byte kind)
    {
        if (size == EventBatch.CAPACITY)
        {
            give();
        }
        timesNs[size] = timeNs;
        kinds[size] = kind;
        return size++;
    }

    /** Removes the row that was started last, because it could not be computed. */
    public void drop()
    {
        size--;
        for (int column = 0; column < batch.schema().columnCount(); column++)
        {
            batch.clearNull(column, size);
        }
    }

    /**
     * Flushes several outputs to their sinks; a failing sink does not keep the others from receiving their rows.
     *
     * @param heartbeatNs time that has passed without rows; {@link FlowTime#BEGINNING} for no heartbeat
     */
    public static void flush(final QueryOutput[] outputs, final long heartbeatNs)
    {
        RuntimeException failure = null;
        for (final QueryOutput output : outputs)
        {
            try
            {
                if (heartbeatNs == FlowTime.BEGINNING)
                {
                    output.flush();
                }
                else
                {
                    output.heartbeat(heartbeatNs);
                }
            }
            catch (final RuntimeException unexpected)
            {
                failure = failure == null ? unexpected : failure;
            }
        }
        if (failure != null)
        {
            throw failure;
        }
    }

    /** Passes the collected rows to the sink. */
    public void flush()
    {
        give();
        tell();
    }

    /**
     * Passes the collected rows and a heartbeat to the sink.
     *
     * @param timeNs no later row is older
     */
    public void heartbeat(final long timeNs)
    {
        give();
        batch.clear();
        batch.baseTimestampNs(timeNs);
        deliver();
        tell();
    }

    private void give()
    {
        if (size > 0)
        {
            rowsOut += size;
            batch.useTimestampPerRow();
            if (!stream)
            {
                batch.useKinds();
            }
            batch.size(size);
            deliver();
        }
    }

    private void tell()
    {
        final Throwable told = failure;
        failure = null;
        if (told instanceof Error error)
        {
            throw error;
        }
        if (told instanceof RuntimeException exception)
        {
            throw exception;
        }
    }

    private void deliver()
    {
        try
        {
            sink.onBatch(batch);
        }
        catch (final EventRejectedException refused)
        {
            rejection.reject(batch.size(), RejectionHandler.OUTPUT_REFUSED, "query=" + queryId + ": " +
                refused.getMessage());
        }
        catch (final RuntimeException | Error unexpected)
        {
            failure = failure == null ? unexpected : failure;
        }
        finally
        {
            // Also when a sink fails unexpectedly: rows are never delivered twice.
            batch.clear();
            size = 0;
        }
    }
}
