package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.runtime.RowRejection;

/**
 * The end of a query: its changes become batches. A relation's are netted an instant, rows that leave first.
 *
 * <p>Threads: the engine's; the figure is for all. Ownership: batches are lent to the sink for the call. Failure: what
 * a sink throws is told by {@link #flush} and {@link #heartbeat}, not in the middle of an instant.
 */
public final class OutputOperator extends FlowOperator
{
    private final String queryId;
    private final FlowOperator input;
    private final boolean stream;
    private final EventBatch batch;
    private final EventBatchSink sink;
    private final RowRejection rejection;
    private final Netting netting;
    private final TextIds[] ids;
    private volatile long rowsOut;
    private Throwable failure;

    /**
     * Makes an operator.
     *
     * @param queryId   id of the query
     * @param input     last step
     * @param stream    whether the query is a stream
     * @param schema    of the output
     * @param sink      takes it
     * @param rejection takes note of what the sink refuses
     */
    public OutputOperator(final String queryId, final FlowOperator input, final boolean stream,
        final BatchSchema schema, final EventBatchSink sink, final RowRejection rejection)
    {
        super(input.store(), input);
        this.queryId = queryId;
        this.input = input;
        this.stream = stream;
        this.sink = sink;
        this.rejection = rejection;
        batch = new EventBatch(schema);
        ids = TextIds.of(schema);
        netting = stream ? null : new Netting(input.store());
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
     * Rows put out so far.
     *
     * @return at least 0
     */
    public long rowsOut()
    {
        return rowsOut;
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        if (stream)
        {
            for (int i = 0; i < in.size(); i++)
            {
                put(in.row(i), EventBatch.INSERT, nowNs);
            }
            return;
        }
        netting.net(in);
        for (int i = 0; i < netting.size(); i++)
        {
            if (!netting.isPlus(i))
            {
                put(netting.row(i), EventBatch.DELETE, nowNs);
            }
        }
        for (int i = 0; i < netting.size(); i++)
        {
            if (netting.isPlus(i))
            {
                put(netting.row(i), EventBatch.INSERT, nowNs);
            }
        }
    }

    private void put(final int row, final byte kind, final long nowNs)
    {
        final int to = batch.size();
        try
        {
            BatchRows.write(store(), row, batch, to, ids);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
            return;
        }
        batch.useTimestampPerRow()[to] = nowNs;
        if (!stream)
        {
            batch.useKinds()[to] = kind;
        }
        batch.size(to + 1);
        if (to + 1 == EventBatch.CAPACITY)
        {
            give();
        }
    }

    /** Gives what has gathered to the sink. */
    void flush()
    {
        give();
        tell();
    }

    /** Tells the sink that time has passed. */
    void heartbeat(final long timeNs)
    {
        give();
        batch.clear();
        batch.baseTimestampNs(timeNs);
        deliver();
        tell();
    }

    private void give()
    {
        if (batch.size() > 0)
        {
            rowsOut += batch.size();
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
        }
    }
}
