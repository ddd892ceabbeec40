package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.runtime.RowRejection;

/**
 * Gathers the rows that a query emits in a batch and gives full batches to the sink.
 *
 * <p>Threads: the engine's; the figure is for all. Ownership: the batch is lent to the sink for the call. Failure: what
 * a sink throws is told by {@link #flush} and {@link #heartbeat}, not in the middle of an instant.
 */
public final class QueryOutput
{
    private final String queryId;
    private final boolean stream;
    private final EventBatch batch;
    private final EventBatchSink sink;
    private final RowRejection rejection;
    private final long[] timesNs;
    private final byte[] kinds;
    private int size;
    private volatile long rowsOut;
    private Throwable failure;

    /**
     * Makes an output.
     *
     * @param queryId   id of the query
     * @param stream    whether the query is a stream: rows have no kinds then
     * @param schema    of the output
     * @param sink      takes it
     * @param rejection takes note of what the sink refuses
     */
    public QueryOutput(final String queryId, final boolean stream, final BatchSchema schema,
        final EventBatchSink sink, final RowRejection rejection)
    {
        this.queryId = queryId;
        this.stream = stream;
        this.sink = sink;
        this.rejection = rejection;
        batch = new EventBatch(schema);
        timesNs = batch.useTimestampPerRow();
        kinds = batch.useKinds();
    }

    /**
     * Id of the query.
     *
     * @return id
     */
    public String queryId()
    {
        return queryId;
    }

    /**
     * Whether the query is a stream.
     *
     * @return false for a relation
     */
    public boolean isStream()
    {
        return stream;
    }

    /**
     * Rows given to the sink so far.
     *
     * @return at least 0
     */
    public long rowsOut()
    {
        return rowsOut;
    }

    /**
     * The batch whose columns are to be filled.
     *
     * @return always the same one
     */
    public EventBatch batch()
    {
        return batch;
    }

    /**
     * Begins a row. All its columns are to be set; columns with a null bitmap are not null unless they are made so.
     *
     * @param timeNs its time
     * @param kind   {@link EventBatch#INSERT} or {@link EventBatch#DELETE}
     * @return its place in the batch
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

    /** Takes back the row that was begun last, which turned out to be faulty. */
    public void drop()
    {
        size--;
        for (int column = 0; column < batch.schema().columnCount(); column++)
        {
            batch.clearNull(column, size);
        }
    }

    /**
     * Gives what has gathered in several outputs to their sinks; to all, also if one fails.
     *
     * @param outputs     which
     * @param heartbeatNs time that has passed without rows; {@link FlowTime#BEGINNING} when that is not to be told
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

    /** Gives what has gathered to the sink. */
    public void flush()
    {
        give();
        tell();
    }

    /**
     * Gives what has gathered and tells the sink that time has passed.
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
            rejection.reject(batch.size(), RowRejection.OUTPUT_REFUSED, "query=" + queryId + ": " +
                refused.getMessage());
        }
        catch (final RuntimeException | Error unexpected)
        {
            failure = failure == null ? unexpected : failure;
        }
        finally
        {
            // Also when a sink fails unexpectedly: rows that were given once are never given again.
            batch.clear();
            size = 0;
        }
    }
}
