package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Rows of matches until they leave. Each is linked to the next row of the same match.
 *
 * <p>Confined to the engine thread.
 */
public final class MatchRows extends RowRecords
{
    /** No row. */
    static final int NONE = -1;

    private static final int NEXT = 0;

    private final int maxRows;
    private final MemoryAccount memory;

    /**
     * @param types   of the columns
     * @param maxRows maximum number of rows
     */
    public MatchRows(final CqlType[] types, final int maxRows, final MemoryAccount memory)
    {
        super(types, NEXT + 1, memory);
        this.maxRows = maxRows;
        this.memory = memory;
    }

    /** The account that is charged. */
    MemoryAccount memory()
    {
        return memory;
    }

    /**
     * Adds a row, all null, without a next row.
     *
     * @return id
     * @throws RowRejectedException when the maximum is reached, or memory is short
     */
    int add()
    {
        if (!hasRoom())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        if (size() >= maxRows)
        {
            throw new RowRejectedException(RowRejection.STATE_FULL, "more rows than may be kept, maxRows=" + maxRows);
        }
        final int row = addNulls();
        word(row, NEXT, NONE);
        return row;
    }

    /** The next row of the same match; {@link #NONE} after the last. */
    int next(final int row)
    {
        return (int)word(row, NEXT);
    }

    /** Links a row to the next one of the same match. */
    void chain(final int row, final int next)
    {
        word(row, NEXT, next);
    }

    /**
     * Copies a row to a batch with the same columns.
     *
     * @param to row number in the batch
     */
    void copy(final int row, final EventBatch batch, final int to)
    {
        for (int column = 0; column < columns(); column++)
        {
            if (isNull(row, column))
            {
                batch.setNull(column, to);
                continue;
            }
            if (batch.schema().storage(column).usesNullBitmap())
            {
                batch.clearNull(column, to);
            }
            switch (batch.schema().storage(column))
            {
                case INT32 -> batch.ints(column)[to] = (int)getLong(row, column);
                case INT64 -> batch.longs(column)[to] = getLong(row, column);
                case FLOAT32 -> batch.floats(column)[to] = (float)getDouble(row, column);
                case FLOAT64 -> batch.doubles(column)[to] = getDouble(row, column);
                case BIT -> batch.bits(column)[to] = (byte)getLong(row, column);
                case TEXT -> batch.texts(column).set(to, (String)getReference(row, column));
                default -> batch.references(column)[to] = getReference(row, column);
            }
        }
    }

    /** Writes a row. */
    void write(final StateOutput to, final int row)
    {
        writeColumns(to, row);
    }

    /** Reads a row; it has no next row. */
    int read(final StateInput from)
    {
        final int row = addNulls();
        word(row, NEXT, NONE);
        readColumns(from, row);
        return row;
    }
}
