package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.BitSet;

/**
 * Rows of matches until they leave. Each is linked to the next row of the same match. Strings that are part of the key
 * of the partition are stored as codes, which the rows hold.
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
    /** Columns of strings that are stored as codes. */
    private final BitSet codes;
    private PartitionKeyStrings texts;

    /**
     * @param types   of the columns
     * @param codes   columns of strings that are stored as codes; must not be modified
     * @param maxRows maximum number of rows
     * @param memory  charged for growth
     */
    public MatchRows(final CqlType[] types, final BitSet codes, final int maxRows, final MemoryAccount memory)
    {
        super(stored(types, codes), NEXT + 1, memory);
        this.codes = codes;
        this.maxRows = maxRows;
        this.memory = memory;
    }

    /** The types as which columns are stored. */
    private static CqlType[] stored(final CqlType[] types, final BitSet codes)
    {
        final CqlType[] stored = types.clone();
        codes.stream().forEach(column -> stored[column] = CqlType.BIGINT);
        return stored;
    }

    /** Sets the table of the codes, before the first row. */
    void texts(final PartitionKeyStrings of)
    {
        texts = of;
    }

    /**
     * Sets a string of the key.
     *
     * @param column that is stored as a code; must be null so far
     * @param code   of the string, 0 leaves it null
     */
    public void setCode(final int row, final int column, final int code)
    {
        if (code != 0)
        {
            texts.hold(code);
            setLong(row, column, code);
        }
    }

    @Override
    void free(final int row)
    {
        for (int column = codes.nextSetBit(0); column >= 0; column = codes.nextSetBit(column + 1))
        {
            if (!isNull(row, column))
            {
                texts.release((int)getLong(row, column));
            }
        }
        super.free(row);
    }

    @Override
    Object value(final int row, final int column)
    {
        return codes.get(column) && !isNull(row, column) ? texts.string(getLong(row, column)) :
            super.value(row, column);
    }

    @Override
    void set(final int row, final int column, final Object value)
    {
        if (codes.get(column))
        {
            setCode(row, column, texts.code((String)value));
            return;
        }
        super.set(row, column, value);
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
            throw new RowRejectedException(RejectionHandler.STATE_FULL,
                "more rows than may be kept, maxRows=" + maxRows);
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
                case TEXT -> copyText(row, column, batch.texts(column), to);
                default -> batch.references(column)[to] = getReference(row, column);
            }
        }
    }

    private void copyText(final int row, final int column, final CharColumn to, final int toRow)
    {
        if (codes.get(column))
        {
            texts.copy((int)getLong(row, column), to, toRow);
        }
        else
        {
            to.set(toRow, (String)getReference(row, column));
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
