package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows in records: some words for the owner, null bits, then a word or an object per column.
 *
 * <p>Confined to the engine thread. Ownership: the caller that adds a row frees it.
 */
public abstract class RowRecords
{
    private final CqlType[] types;
    /** Index of each column among the words of a record, or among its objects. */
    private final int[] indexes;
    private final int head;
    private final int nullWords;
    private final AttemptSlab records;

    /**
     * @param types of the columns
     * @param head  words before the columns
     */
    RowRecords(final CqlType[] types, final int head, final MemoryAccount memory)
    {
        this.types = types.clone();
        this.head = head;
        indexes = new int[types.length];
        nullWords = (types.length + Long.SIZE - 1) / Long.SIZE;
        int words = head + nullWords;
        int references = 0;
        for (int i = 0; i < types.length; i++)
        {
            indexes[i] = isReference(types[i]) ? references++ : words++;
        }
        records = new AttemptSlab(words, references, false, memory);
    }

    private static boolean isReference(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, FLOAT, DOUBLE, BOOLEAN, TIMESTAMP, INTERVAL -> false;
            case BIGDECIMAL, CHAR, BYTE, XMLTYPE, OBJECT -> true;
        };
    }

    boolean hasRoom()
    {
        return records.hasRoom();
    }

    /** Adds a row whose columns are all null; its other words are not cleared. */
    int addNulls()
    {
        final int row = records.add();
        final int at = records.at(row) + head;
        Arrays.fill(records.chunk(row), at, at + nullWords, -1L);
        return row;
    }

    void free(final int row)
    {
        records.free(row);
    }

    int columns()
    {
        return types.length;
    }

    AttemptSlab records()
    {
        return records;
    }

    long word(final int row, final int word)
    {
        return records.chunk(row)[records.at(row) + word];
    }

    void word(final int row, final int word, final long value)
    {
        records.chunk(row)[records.at(row) + word] = value;
    }

    private void setNotNull(final int row, final int column)
    {
        records.chunk(row)[records.at(row) + head + (column >> 6)] &= ~(1L << column);
    }

    /** Number of stored rows. */
    public final int size()
    {
        return records.size();
    }

    public final boolean isNull(final int row, final int column)
    {
        return (word(row, head + (column >> 6)) & 1L << column) != 0;
    }

    /** An integer, time or boolean (0 or 1). */
    public final long getLong(final int row, final int column)
    {
        return word(row, indexes[column]);
    }

    /** Sets an integer, time or boolean. */
    public final void setLong(final int row, final int column, final long value)
    {
        word(row, indexes[column], value);
        setNotNull(row, column);
    }

    /** A floating-point number. */
    public final double getDouble(final int row, final int column)
    {
        return Double.longBitsToDouble(getLong(row, column));
    }

    /** Sets a floating-point number. */
    public final void setDouble(final int row, final int column, final double value)
    {
        setLong(row, column, Double.doubleToRawLongBits(value));
    }

    /** A string or object. */
    public final Object getReference(final int row, final int column)
    {
        return records.reference(row, indexes[column]);
    }

    /**
     * Sets a string or object.
     *
     * @param column index; must be null so far
     * @param value  {@code null} and the empty string leave it null
     */
    public final void setReference(final int row, final int column, final Object value)
    {
        if (value != null && !(value instanceof String text && text.isEmpty()))
        {
            records.reference(row, indexes[column], value);
            setNotNull(row, column);
        }
    }

    /** Writes the columns of a row. */
    void writeColumns(final StateOutput to, final int row)
    {
        for (int column = 0; column < types.length; column++)
        {
            to.writeValue(value(row, column));
        }
    }

    /** Reads the columns of a row that is all null. */
    void readColumns(final StateInput from, final int row)
    {
        for (int column = 0; column < types.length; column++)
        {
            final Object value = from.readValue();
            if (value != null)
            {
                set(row, column, value);
            }
        }
    }

    /** The value of a column; {@code null} for null. */
    Object value(final int row, final int column)
    {
        if (isNull(row, column))
        {
            return null;
        }
        return switch (types[column])
        {
            case INT -> (int)getLong(row, column);
            case BIGINT, TIMESTAMP, INTERVAL -> getLong(row, column);
            case FLOAT -> (float)getDouble(row, column);
            case DOUBLE -> getDouble(row, column);
            case BOOLEAN -> getLong(row, column) != 0;
            case BIGDECIMAL, CHAR, BYTE, XMLTYPE, OBJECT -> getReference(row, column);
        };
    }

    /** Sets a column that is null so far. */
    void set(final int row, final int column, final Object value)
    {
        switch (types[column])
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL -> setLong(row, column, ((Number)value).longValue());
            case FLOAT, DOUBLE -> setDouble(row, column, ((Number)value).doubleValue());
            case BOOLEAN -> setLong(row, column, (Boolean)value ? 1 : 0);
            default -> setReference(row, column, value);
        }
    }
}
