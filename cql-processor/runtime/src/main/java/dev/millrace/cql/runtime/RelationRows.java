package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.table.IncrementalArrays;
import java.util.Arrays;

/**
 * Rows of a relation, by row number: columns of primitives, and their null flags. Strings are codes of the string table
 * of the pipeline; a row retains its codes.
 *
 * <p>Arrays grow incrementally, one slice per stored row ({@link IncrementalArrays}), so that no change copies all
 * rows.
 *
 * <p>Confined to the thread of its relation. Ownership: this object owns the arrays; a caller may use them until the
 * next change.
 */
final class RelationRows
{
    private static final int INITIAL_ROWS = 64;
    /** Approximate bytes per string or number that a row refers to. */
    private static final int OBJECT_BYTES = 48;

    private final BatchSchema schema;
    private final StringTable strings;
    private final Object[] columns;
    private final byte[][] nulls;
    private final int[] nullCounts;
    /** Columns, followed by their null flags. */
    private final IncrementalArrays arrays;

    RelationRows(final BatchSchema schema, final StringTable strings, final MemoryAccount memory)
    {
        this.schema = schema;
        this.strings = strings;
        columns = new Object[schema.columnCount()];
        nulls = new byte[columns.length][];
        nullCounts = new int[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            columns[i] = schema.storage(i).newArray(INITIAL_ROWS);
            nulls[i] = new byte[INITIAL_ROWS];
        }
        final Object[] all = Arrays.copyOf(columns, columns.length * 2);
        System.arraycopy(nulls, 0, all, columns.length, columns.length);
        arrays = new IncrementalArrays(memory, all);
    }

    /** Approximate bytes of the objects that a row refers to. */
    int objectBytes()
    {
        int bytes = 0;
        for (int i = 0; i < columns.length; i++)
        {
            bytes += schema.storage(i) == ColumnStorage.REFERENCE ? OBJECT_BYTES : 0;
        }
        return bytes;
    }

    /** Whether that many rows fit without a resize. */
    boolean hasRoom(final int count)
    {
        return arrays.hasRoom(count);
    }

    /** Stores row {@code from} of a batch as row {@code row}. */
    void put(final int row, final EventBatch batch, final int from)
    {
        reserve(row + 1);
        for (int column = 0; column < columns.length; column++)
        {
            if (schema.storage(column) == ColumnStorage.TEXT)
            {
                putCode(column, row, newCode(batch, column, from));
            }
            else
            {
                System.arraycopy(batch.array(column), from, columns[column], row, 1);
            }
            final byte isNull = (byte)(batch.isNull(column, from) ? 1 : 0);
            nullCounts[column] += isNull - nulls[column][row];
            nulls[column][row] = isNull;
        }
        arrays.changed(row);
    }

    private void reserve(final int count)
    {
        if (arrays.reserve(count))
        {
            for (int column = 0; column < columns.length; column++)
            {
                columns[column] = arrays.get(column);
                nulls[column] = (byte[])arrays.get(columns.length + column);
            }
        }
    }

    /** The code of a string; a new string gets one. The caller has checked the capacity. */
    int newCode(final EventBatch batch, final int column, final int row)
    {
        final CharColumn texts = batch.texts(column);
        final int code = texts.code(row, strings);
        if (code != StringTable.FULL)
        {
            return code;
        }
        final byte[] text = new byte[texts.length(row)];
        texts.copy(row, text, 0);
        return strings.owed(text, 0, text.length);
    }

    /** Stores a string in a row, which retains it. */
    private void putCode(final int column, final int row, final int code)
    {
        final int[] codes = (int[])columns[column];
        strings.hold(code);
        strings.release(codes[row]);
        codes[row] = code;
    }

    /** Releases what a row refers to. */
    void clear(final int row)
    {
        for (int column = 0; column < columns.length; column++)
        {
            nullCounts[column] -= nulls[column][row];
            nulls[column][row] = 0;
            switch (schema.storage(column))
            {
                case REFERENCE -> ((Object[])columns[column])[row] = null;
                case TEXT -> putCode(column, row, StringTable.NULL);
                default ->
                {
                    // The next row overwrites it.
                }
            }
        }
        arrays.changed(row);
    }

    /** Releases what all rows refer to. */
    void clear()
    {
        for (int row = 0; row < nulls[0].length; row++)
        {
            clear(row);
        }
    }

    /** Whether any row has null in a column. */
    boolean hasNulls(final int column)
    {
        return nullCounts[column] != 0 && schema.storage(column).usesNullBitmap();
    }

    /** 1 where a row has null in a column; the array itself. */
    byte[] nulls(final int column)
    {
        return nulls[column];
    }

    /** A column in the array of its storage; the array itself. */
    Object array(final int column)
    {
        return columns[column];
    }

    /** Greatest number of rows that a single change copied while capacity remained; for tests. */
    int mostCopied()
    {
        return arrays.mostCopied();
    }
}
