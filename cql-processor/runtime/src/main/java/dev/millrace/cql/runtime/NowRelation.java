package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the relation of a {@code [now]} window over a stream: each row enters at its time and leaves one nanosecond
 * later. The delete is emitted as soon as time has passed that instant, by a later row or a heartbeat.
 *
 * <p>Rows of one instant that have entered and not left are stored, at most {@value #MAX_PENDING_ROWS}; further ones
 * are rejected. Confined to the thread of its pipeline.
 */
public final class NowRelation implements EventBatchSink
{
    /** Maximum number of rows of one instant. */
    public static final int MAX_PENDING_ROWS = 1 << 16;

    private final String queryId;
    private final EventBatchSink sink;
    private final RejectionHandler rejection;
    private final BatchSchema schema;
    private final EventBatch out;
    private final List<EventBatch> pending = new ArrayList<>();
    private int pendingRows;
    /** How many of them have already left: more than 0 only after a sink has failed in between. */
    private int leftRows;
    /** Latest time of them. */
    private long pendingTimeNs;

    /**
     * @param queryId   for messages
     * @param sink      receives the relation
     * @param rejection receives rejected rows
     */
    public NowRelation(
        final String queryId, final BatchSchema schema, final EventBatchSink sink, final RejectionHandler rejection)
    {
        this.queryId = queryId;
        this.schema = schema;
        this.sink = sink;
        this.rejection = rejection;
        out = new EventBatch(schema);
        pending.add(new EventBatch(schema));
    }

    /**
     * Processes rows of the stream, or advances time.
     *
     * @param rows inserts in order of time; a batch without rows is a heartbeat
     */
    @Override
    public void onBatch(final EventBatch rows)
    {
        if (rows.size() == 0)
        {
            timePassed(rows.baseTimestampNs());
            flush();
            out.baseTimestampNs(rows.baseTimestampNs());
            give();
            return;
        }
        for (int row = 0; row < rows.size(); row++)
        {
            final long timeNs = rows.timestampNs(row);
            timePassed(timeNs);
            if (pendingRows == MAX_PENDING_ROWS)
            {
                rejection.reject(1, RejectionHandler.STATE_FULL,
                    "query=" + queryId + ": more rows of one instant than " + MAX_PENDING_ROWS);
                continue;
            }
            put(rows, row, timeNs, EventBatch.INSERT);
            remember(rows, row, timeNs);
        }
        flush();
    }

    /**
     * Emits deletes of the rows whose instant has passed.
     *
     * @param timeNs time of a later row of the source
     */
    public void advanceTo(final long timeNs)
    {
        if (pendingRows > 0 && timeNs > pendingTimeNs)
        {
            timePassed(timeNs);
            flush();
        }
    }

    /** Whether rows have entered and not left. */
    public boolean hasRows()
    {
        return pendingRows > leftRows;
    }

    /** Writes the rows that have entered and not left. */
    public void write(final StateOutput to)
    {
        to.writeCount(pendingRows - leftRows);
        for (int i = leftRows; i < pendingRows; i++)
        {
            final EventBatch from = pending.get(i / EventBatch.CAPACITY);
            final int row = i % EventBatch.CAPACITY;
            to.writeLong(from.timestampNs(row));
            to.writeBoolean(from.hasOrigins());
            to.writeLong(from.hasOrigins() ? from.originsNs()[row] : 0);
            for (int column = 0; column < schema.columnCount(); column++)
            {
                to.writeValue(from.value(column, row));
            }
        }
    }

    /**
     * Restores rows that {@link #write} has written.
     *
     * @throws StateException when this relation has rows
     */
    public void read(final StateInput from)
    {
        final int count = StateInput.checked(from.readSize(Long.BYTES), MAX_PENDING_ROWS + 1, "rows");
        if (count > 0 && hasRows())
        {
            throw new StateException("cannot add rows to a relation that already has rows, query=" + queryId);
        }
        final EventBatch one = new EventBatch(schema);
        for (int i = 0; i < count; i++)
        {
            one.clear();
            final long timeNs = from.readLong();
            one.useTimestampPerRow()[0] = timeNs;
            final boolean hasOrigins = from.readBoolean();
            final long originNs = from.readLong();
            if (hasOrigins)
            {
                one.useOrigins()[0] = originNs;
            }
            for (int column = 0; column < schema.columnCount(); column++)
            {
                set(one, column, from.readValue());
            }
            one.size(1);
            remember(one, 0, timeNs);
        }
    }

    private void set(final EventBatch one, final int column, final Object value)
    {
        try
        {
            one.setValue(column, 0, value);
        }
        catch (final ClassCastException other)
        {
            throw new StateException("a value has another type, query=" + queryId, other);
        }
    }

    private void timePassed(final long timeNs)
    {
        if (pendingRows == 0 || timeNs <= pendingTimeNs)
        {
            return;
        }
        for (; leftRows < pendingRows; leftRows++)
        {
            final EventBatch left = pending.get(leftRows / EventBatch.CAPACITY);
            final int row = leftRows % EventBatch.CAPACITY;
            // Not the time of the batch: rows of several source threads may be slightly out of order.
            put(left, row, left.timestampNs(row) + 1, EventBatch.DELETE);
        }
        leftRows = 0;
        pendingRows = 0;
    }

    private void remember(final EventBatch rows, final int row, final long timeNs)
    {
        final int batch = pendingRows / EventBatch.CAPACITY;
        if (batch == pending.size())
        {
            pending.add(new EventBatch(schema));
        }
        final int at = pendingRows % EventBatch.CAPACITY;
        if (at == 0)
        {
            pending.get(batch).clear();
        }
        pending.get(batch).copyRow(rows, row, at);
        if (pending.get(batch).hasOrigins() && !rows.hasOrigins())
        {
            pending.get(batch).originsNs()[at] = 0;
        }
        pendingTimeNs = pendingRows == 0 ? timeNs : Math.max(pendingTimeNs, timeNs);
        pendingRows++;
    }

    private void put(final EventBatch from, final int row, final long timeNs, final byte kind)
    {
        if (out.size() == EventBatch.CAPACITY || out.hasOrigins() != from.hasOrigins())
        {
            flush();
        }
        final int at = out.size();
        out.copyRow(from, row, at);
        out.useTimestampPerRow()[at] = timeNs;
        out.useKinds()[at] = kind;
        out.size(at + 1);
    }

    private void flush()
    {
        if (out.size() > 0)
        {
            give();
        }
    }

    private void give()
    {
        try
        {
            Pipeline.deliver(sink, out, queryId, rejection);
        }
        finally
        {
            // Also when a sink fails unexpectedly: rows are never delivered twice.
            out.clear();
        }
    }
}
