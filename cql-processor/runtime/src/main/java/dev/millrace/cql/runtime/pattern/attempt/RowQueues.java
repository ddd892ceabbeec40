package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Linked lists of the rows of partitions, stored as long as they are undecided or may be read. A queue is a long that
 * its partition stores, 0 when it is empty: its first row in the high half, its last one in the low half.
 *
 * <p>Confined to the engine thread.
 */
public final class RowQueues extends RowRecords
{
    private static final int NONE = -1;
    /** The row before in the high half, the next one in the low half. */
    private static final int LINKS = 0;
    private static final int ARRIVAL = 1;
    private static final int TIME = 2;
    private static final int OUTPUT_INDEX = 3;
    private static final int COLUMNS = 4;
    /** Stored instead of what a row has reserved in the output, an int, once a match has the row. */
    private static final long MATCHED = Long.MIN_VALUE;
    private static final int FIRST_SHIFT = 32;
    private static final long LOW = 0xffffffffL;

    private final MemoryAccount memory;

    /**
     * @param types of the stored columns
     */
    RowQueues(final CqlType[] types, final MemoryAccount memory)
    {
        super(types, COLUMNS, memory);
        this.memory = memory;
    }

    /**
     * Adds a row that is in no queue yet.
     *
     * @param arrival  its number in the stream
     * @param position its position in the output, if it has one
     * @return id; all columns are null
     * @throws RowRejectedException when memory is short
     */
    public int add(final long arrival, final long timeNs, final long position)
    {
        if (!hasRoom())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        final int row = addNulls();
        word(row, LINKS, NONE);
        word(row, ARRIVAL, arrival);
        word(row, TIME, timeNs);
        word(row, OUTPUT_INDEX, position);
        return row;
    }

    /**
     * Appends a row.
     *
     * @param queue of its partition
     * @param row   id
     * @return the new value of the queue
     */
    public long append(final long queue, final int row)
    {
        if (queue != 0)
        {
            final int last = (int)queue - 1;
            word(last, LINKS, word(last, LINKS) & ~LOW | row);
            word(row, LINKS, (long)last << FIRST_SHIFT | LOW);
        }
        return (queue == 0 ? (long)row + 1 << FIRST_SHIFT : queue & ~LOW) | row + 1;
    }

    /**
     * The first row.
     *
     * @return id, negative for none
     */
    public int first(final long queue)
    {
        return (int)(queue >>> FIRST_SHIFT) - 1;
    }

    /**
     * Releases the first row.
     *
     * @param queue not empty
     * @return the new value of the queue
     */
    public long removeFirst(final long queue)
    {
        final int row = first(queue);
        final int next = next(row);
        free(row);
        return next == NONE ? 0 : (long)next + 1 << FIRST_SHIFT | queue & LOW;
    }

    /**
     * The row at a distance after another one.
     *
     * @param arrival number of the other row, which must be in the queue
     * @param count   distance in rows
     * @return id, negative when it has not arrived
     */
    public int after(final long queue, final long arrival, final int count)
    {
        int row = first(queue);
        while (row != NONE && word(row, ARRIVAL) != arrival)
        {
            row = next(row);
        }
        for (int i = 0; i < count && row != NONE; i++)
        {
            row = next(row);
        }
        return row;
    }

    private int next(final int row)
    {
        return (int)word(row, LINKS);
    }

    /**
     * Notes that a match has the last rows.
     *
     * @param queue of a partition
     * @param start number of the first row of the match, which is there
     * @param left  takes back what the rows have reserved
     */
    void match(final long queue, final long start, final MatchOutput left)
    {
        int row = (int)queue - 1;
        while (row != NONE)
        {
            if (!isMatched(row))
            {
                left.cancel((int)outputIndex(row));
                word(row, OUTPUT_INDEX, MATCHED);
            }
            row = arrival(row) == start ? NONE : (int)(word(row, LINKS) >> FIRST_SHIFT);
        }
    }

    /**
     * Whether a match has a row.
     *
     * @param row id
     * @return as {@link #match} has noted
     */
    public boolean isMatched(final int row)
    {
        return outputIndex(row) == MATCHED;
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

    public long timeNs(final int row)
    {
        return word(row, TIME);
    }

    /** The index of a row in the output, as given to {@link #add}. */
    public long outputIndex(final int row)
    {
        return word(row, OUTPUT_INDEX);
    }

    void write(final StateOutput to)
    {
        records().write(to, null);
    }

    void read(final StateInput from)
    {
        records().read(from, null);
    }
}
