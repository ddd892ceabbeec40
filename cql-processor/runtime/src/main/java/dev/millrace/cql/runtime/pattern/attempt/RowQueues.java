package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowRejectedException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * The rows of partitions, one after the other, as long as they are undecided or something may read them. A queue is a
 * long that its partition keeps, 0 when it is empty: its first row in the high half, its last one in the low half.
 *
 * <p>Threads: the engine's.
 */
public final class RowQueues
{
    private static final int NONE = -1;
    private static final int NEXT = 0;
    private static final int ARRIVAL = 1;
    private static final int TIME = 2;
    private static final int PLACE = 3;
    private static final int COLUMNS = 4;
    private static final int FIRST_SHIFT = 32;
    private static final long LOW = 0xffffffffL;

    private final RowLayout layout;
    private final MemoryAccount memory;
    private final AttemptSlab rows;

    /**
     * Makes queues without rows.
     *
     * @param layout of the columns that are kept
     * @param memory is charged
     */
    RowQueues(final RowLayout layout, final MemoryAccount memory)
    {
        this.layout = layout;
        this.memory = memory;
        rows = new AttemptSlab(COLUMNS + layout.words(), layout.references(), false, memory);
    }

    /**
     * Makes a row.
     *
     * @param arrival its number in the stream
     * @param timeNs  its time
     * @param place   its place in the output, if it has one
     * @return id; all columns are null
     * @throws RowRejectedException when memory is short
     */
    public int add(final long arrival, final long timeNs, final long place)
    {
        if (!rows.hasRoom())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        final int row = rows.add();
        final long[] words = rows.chunk(row);
        final int at = rows.at(row);
        words[at + NEXT] = NONE;
        words[at + ARRIVAL] = arrival;
        words[at + TIME] = timeNs;
        words[at + PLACE] = place;
        Arrays.fill(words, at + COLUMNS, at + COLUMNS + layout.nullWords(), -1L);
        return row;
    }

    /**
     * Puts a row behind the others.
     *
     * @param queue of its partition
     * @param row   id
     * @return the queue with it
     */
    public long append(final long queue, final int row)
    {
        if (queue != 0)
        {
            rows.chunk((int)queue - 1)[rows.at((int)queue - 1) + NEXT] = row;
        }
        return (queue == 0 ? (long)row + 1 << FIRST_SHIFT : queue & ~LOW) | row + 1;
    }

    private long word(final int row, final int word)
    {
        return rows.chunk(row)[rows.at(row) + word];
    }

    private void set(final int row, final int column, final long value)
    {
        rows.chunk(row)[rows.at(row) + COLUMNS + layout.slot(column)] = value;
        setNotNull(row, column);
    }

    private void setNotNull(final int row, final int column)
    {
        rows.chunk(row)[rows.at(row) + COLUMNS + (column >> 6)] &= ~(1L << column);
    }

    /**
     * Whether a value is null.
     *
     * @param row    id
     * @param column index in the layout
     * @return true when it is
     */
    public boolean isNull(final int row, final int column)
    {
        return (word(row, COLUMNS + (column >> 6)) & 1L << column) != 0;
    }

    /**
     * A whole number, time or boolean.
     *
     * @param row    id
     * @param column index in the layout
     * @return value
     */
    public long getLong(final int row, final int column)
    {
        return word(row, COLUMNS + layout.slot(column));
    }

    /**
     * Sets a whole number, time or boolean.
     *
     * @param row    id
     * @param column index in the layout
     * @param value  of it
     */
    public void setLong(final int row, final int column, final long value)
    {
        set(row, column, value);
    }

    /**
     * A floating number.
     *
     * @param row    id
     * @param column index in the layout
     * @return value
     */
    public double getDouble(final int row, final int column)
    {
        return Double.longBitsToDouble(getLong(row, column));
    }

    /**
     * Sets a floating number.
     *
     * @param row    id
     * @param column index in the layout
     * @param value  of it
     */
    public void setDouble(final int row, final int column, final double value)
    {
        set(row, column, Double.doubleToRawLongBits(value));
    }

    /**
     * A text or object.
     *
     * @param row    id
     * @param column index in the layout
     * @return value
     */
    public Object getReference(final int row, final int column)
    {
        return rows.reference(row, layout.slot(column));
    }

    /**
     * Sets a text or object.
     *
     * @param row    id
     * @param column index in the layout
     * @param value  of it
     */
    public void setReference(final int row, final int column, final Object value)
    {
        rows.reference(row, layout.slot(column), value);
        setNotNull(row, column);
    }

    /**
     * The first row.
     *
     * @param queue of a partition
     * @return id, negative for none
     */
    public int first(final long queue)
    {
        return (int)(queue >>> FIRST_SHIFT) - 1;
    }

    /**
     * Gives the first row up.
     *
     * @param queue of a partition, not empty
     * @return the queue without it
     */
    public long removeFirst(final long queue)
    {
        final int row = first(queue);
        final int next = (int)word(row, NEXT);
        rows.free(row);
        return next == NONE ? 0 : (long)next + 1 << FIRST_SHIFT | queue & LOW;
    }

    /**
     * A row that came after another one.
     *
     * @param queue   of a partition
     * @param arrival number of the other row, which is there
     * @param count   how many rows after it
     * @return id, negative when it has not come
     */
    public int after(final long queue, final long arrival, final int count)
    {
        int row = first(queue);
        while (row != NONE && word(row, ARRIVAL) != arrival)
        {
            row = (int)word(row, NEXT);
        }
        for (int i = 0; i < count && row != NONE; i++)
        {
            row = (int)word(row, NEXT);
        }
        return row;
    }

    /**
     * The number of a row in the stream.
     *
     * @param row id
     * @return number
     */
    public long arrival(final int row)
    {
        return word(row, ARRIVAL);
    }

    /**
     * The time of a row.
     *
     * @param row id
     * @return nanoseconds
     */
    public long timeNs(final int row)
    {
        return word(row, TIME);
    }

    /**
     * The place of a row in the output.
     *
     * @param row id
     * @return as given
     */
    public long place(final int row)
    {
        return word(row, PLACE);
    }

    /**
     * Rows that are kept.
     *
     * @return at least 0
     */
    public int size()
    {
        return rows.size();
    }

    void write(final StateOutput to)
    {
        rows.write(to, null);
    }

    void read(final StateInput from)
    {
        rows.read(from, null);
    }
}
