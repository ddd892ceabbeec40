package dev.millrace.adapter.jdbc.buffer;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.RowSequence;
import java.util.Arrays;
import java.util.Map;

/**
 * Up to {@value #CAPACITY} rows that wait for the database: copied columns, strings as objects, one operation per row.
 * Not thread-safe; reusable.
 */
public final class RowBlock
{
    /** Maximum number of rows per block. */
    public static final int CAPACITY = EventBatch.CAPACITY;

    private static final int WORDS = CAPACITY / Long.SIZE;

    private final RowLayout layout;
    private final ColumnStorage[] storages;
    private final Object[] columns;
    /** Bits of rows beyond the size are 0. */
    private final long[][] nulls;
    private final byte[] operations = new byte[CAPACITY];
    private final long[] sequences = new long[CAPACITY];
    private int size;
    private SpillLocation place;

    RowBlock(final RowLayout layout)
    {
        this.layout = layout;
        columns = new Object[layout.size()];
        nulls = new long[layout.size()][WORDS];
        storages = new ColumnStorage[layout.size()];
        for (int i = 0; i < columns.length; i++)
        {
            storages[i] = layout.properties().get(i).type().storage();
            columns[i] = storages[i] == ColumnStorage.TEXT ? new Object[CAPACITY] :
                storages[i].newArray(CAPACITY);
        }
    }

    RowLayout layout()
    {
        return layout;
    }

    public int size()
    {
        return size;
    }

    /** Sets the number of rows; a smaller number removes the last rows. */
    public void size(final int rows)
    {
        for (int row = rows; row < size; row++)
        {
            for (int column = 0; column < columns.length; column++)
            {
                setNull(column, row, false);
            }
        }
        size = rows;
    }

    /** Its location in a spill file; {@code null} if it was never in one. */
    public SpillLocation place()
    {
        return place;
    }

    public void place(final SpillLocation from)
    {
        place = from;
    }

    /** Removes all rows. */
    void clear()
    {
        size = 0;
        place = null;
        for (int i = 0; i < columns.length; i++)
        {
            Arrays.fill(nulls[i], 0);
            if (columns[i] instanceof final Object[] references)
            {
                Arrays.fill(references, null);
            }
        }
    }

    /**
     * Appends copies of rows.
     *
     * @param batch  source
     * @param source column of the batch for each column of this block
     * @param from   first row of the batch
     * @param count  number of rows; must fit
     */
    void add(final EventBatch batch, final int[] source, final int from, final int count)
    {
        for (int column = 0; column < columns.length; column++)
        {
            if (storages[column] == ColumnStorage.TEXT)
            {
                final CharColumn texts = batch.texts(source[column]);
                final Object[] strings = (Object[])columns[column];
                for (int i = 0; i < count; i++)
                {
                    strings[size + i] = texts.string(from + i);
                }
            }
            else
            {
                System.arraycopy(batch.array(source[column]), from, columns[column], size, count);
                if (batch.hasNulls(source[column]))
                {
                    addNulls(batch, source[column], column, from, count);
                }
            }
        }
        if (batch.hasSequences())
        {
            System.arraycopy(batch.sequences(), from, sequences, size, count);
        }
        else
        {
            Arrays.fill(sequences, size, size + count, RowSequence.NONE);
        }
        size += count;
    }

    /** Adds the number of the last row of each producer, by its id, among some rows. */
    public void lastNumbers(final int from, final int to, final Map<Integer, Long> numbers)
    {
        for (int row = from; row < to; row++)
        {
            if (sequences[row] != RowSequence.NONE)
            {
                numbers.put(RowSequence.producer(sequences[row]), RowSequence.number(sequences[row]));
            }
        }
    }

    private void addNulls(
        final EventBatch batch, final int source, final int column, final int from, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            setNull(column, size + i, batch.isNull(source, from + i));
        }
    }

    /** Sets the operation for rows. */
    void operations(final int from, final int count, final RowOperation operation)
    {
        Arrays.fill(operations, from, from + count, (byte)operation.ordinal());
    }

    public RowOperation operation(final int row)
    {
        return RowOperation.of(operations[row]);
    }

    /** The array of a column: primitives according to its type, or objects. */
    public Object array(final int column)
    {
        return columns[column];
    }

    /**
     * Null bits of a primitive column, one per row; {@code null} for object columns, whose elements are null
     * themselves.
     */
    public long[] nullBits(final int column)
    {
        return columns[column] instanceof Object[] ? null : nulls[column];
    }

    boolean isNull(final int column, final int row)
    {
        return columns[column] instanceof final Object[] references ? references[row] == null :
            (nulls[column][row >> 6] & 1L << row) != 0;
    }

    void setNull(final int column, final int row, final boolean isNull)
    {
        if (isNull)
        {
            nulls[column][row >> 6] |= 1L << row;
        }
        else
        {
            nulls[column][row >> 6] &= ~(1L << row);
        }
    }

    /** Removes the first rows. */
    void removeFirst(final int count)
    {
        for (int column = 0; column < columns.length; column++)
        {
            for (int row = count; row < size; row++)
            {
                setNull(column, row - count, (nulls[column][row >> 6] & 1L << row) != 0);
            }
            System.arraycopy(columns[column], count, columns[column], 0, size - count);
        }
        System.arraycopy(operations, count, operations, 0, size - count);
        System.arraycopy(sequences, count, sequences, 0, size - count);
        size(size - count);
    }

    /** A row for a log message: names and values, truncated to a length. */
    public String text(final int row, final int maxChars)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < columns.length && text.length() <= maxChars; i++)
        {
            final EventProperty property = layout.properties().get(i);
            text.append(i == 0 ? "" : ", ").append(property.name()).append('=');
            final Object value = isNull(i, row) ? null : java.lang.reflect.Array.get(columns[i], row);
            text.append(value instanceof final byte[] bytes ? bytes.length + " bytes" : value);
        }
        return text.length() <= maxChars ? text.toString() : text.substring(0, maxChars) + "...";
    }
}
