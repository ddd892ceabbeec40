package dev.millrace.adapter.jdbc.buffer;

import static dev.millrace.adapter.jdbc.buffer.RowOperation.DELETE;
import static dev.millrace.adapter.jdbc.buffer.RowOperation.INSERT;
import static dev.millrace.adapter.jdbc.buffer.RowOperation.REFUSED;
import static dev.millrace.adapter.jdbc.buffer.RowOperation.UPDATE;
import static dev.millrace.adapter.jdbc.buffer.RowOperation.UPSERT;

import dev.millrace.api.event.EventBatch;

/**
 * The operations of a sink for the rows of a channel. Streams have inserted rows only; a relation also has updated and
 * deleted rows.
 */
public enum SinkMode
{
    /** Inserts new rows, updates changed rows, deletes removed rows. */
    INSERT_ROWS("insert", INSERT, UPDATE, DELETE),
    /** Updates rows of the table. */
    UPDATE_ROWS("update", UPDATE, UPDATE, DELETE),
    /** Inserts or updates rows, depending on whether the table has them; deletes removed rows. */
    UPSERT_ROWS("upsert", UPSERT, UPSERT, DELETE),
    /** Deletes the rows of the table with the key of an event. */
    DELETE_ROWS("delete", DELETE, REFUSED, REFUSED);

    private final String text;
    private final RowOperation inserted;
    private final RowOperation updated;
    private final RowOperation deleted;

    SinkMode(final String text, final RowOperation inserted, final RowOperation updated, final RowOperation deleted)
    {
        this.text = text;
        this.inserted = inserted;
        this.updated = updated;
        this.deleted = deleted;
    }

    /** The name in assembly files. */
    public String text()
    {
        return text;
    }

    /** The operation for rows of a stream. */
    RowOperation ofStream()
    {
        return inserted;
    }

    /** The operation for a kind of row; without keys only insert is possible. */
    RowOperation of(final byte kind, final boolean hasKeys)
    {
        final RowOperation operation = switch (kind)
        {
            case EventBatch.DELETE -> deleted;
            case EventBatch.UPDATE -> updated;
            default -> inserted;
        };
        return operation.needsKey() && !hasKeys ? REFUSED : operation;
    }
}
