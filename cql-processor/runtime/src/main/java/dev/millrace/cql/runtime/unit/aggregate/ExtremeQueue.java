package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.state.RingState;
import dev.millrace.cql.runtime.state.StateArrays;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.RingArrays;

/**
 * The greatest value of each group in a window whose rows leave in order of arrival. Each group has a queue of rows,
 * each greater than all later ones, linked through the ring of the window. The first row of the queue has the greatest
 * value; a row takes constant amortized time.
 *
 * <p>A group has two words in its record: positions of the first and the last row of its queue, and the greatest value.
 * Values are longs of the same order; for the minimum they are complemented.
 *
 * <p>Confined to the engine thread.
 */
public final class ExtremeQueue implements RingState
{
    /** Words per group. */
    public static final int WORDS = 2;
    /** Bytes per row. */
    public static final long ROW_BYTES = Long.BYTES + 2L * Integer.BYTES;

    private static final int VALUE = 1;
    private static final long LOW = 0xFFFFFFFFL;

    private long[] values = new long[RingArrays.FEWEST];
    /** Position of the next row of the queue, and of the previous one. */
    private int[] next = new int[RingArrays.FEWEST];
    private int[] before = new int[RingArrays.FEWEST];

    public ExtremeQueue()
    {
        // All rings have the same initial capacity.
    }

    /**
     * Follows the ring, whose capacity was doubled.
     *
     * @param head position of the oldest row
     * @param tail position of the next row
     */
    public void grow(final int head, final int tail)
    {
        values = (long[])RingArrays.grown(values, head, tail);
        next = (int[])RingArrays.grown(next, head, tail);
        before = (int[])RingArrays.grown(before, head, tail);
    }

    private static long pair(final int first, final int last)
    {
        return (long)first << Integer.SIZE | last & LOW;
    }

    /**
     * Adds a row.
     *
     * @param record  of the group
     * @param at      first word
     * @param id      position of the row
     * @param isFirst whether the group has no other row with a value
     */
    public void enter(final long[] record, final int at, final int id, final long value, final boolean isFirst)
    {
        final int mask = values.length - 1;
        final int slot = id & mask;
        values[slot] = value;
        if (isFirst || value >= record[at + VALUE])
        {
            record[at] = pair(id, id);
            record[at + VALUE] = value;
            return;
        }
        int last = (int)record[at];
        while (values[last & mask] <= value)
        {
            last = before[last & mask];
        }
        next[last & mask] = id;
        before[slot] = last;
        record[at] = pair((int)(record[at] >>> Integer.SIZE), id);
    }

    /**
     * Removes a row.
     *
     * @param record of the group
     * @param at     first word
     * @param id     position of the row
     * @param isLast whether the group has no further row with a value
     */
    public void leave(final long[] record, final int at, final int id, final boolean isLast)
    {
        if (!isLast && (int)(record[at] >>> Integer.SIZE) == id)
        {
            final int mask = values.length - 1;
            final int second = next[id & mask];
            record[at] = pair(second, (int)record[at]);
            record[at + VALUE] = values[second & mask];
        }
    }

    @Override
    public void write(final StateOutput to, final int head, final int tail)
    {
        StateArrays.write(values, head, tail, to);
        StateArrays.write(next, head, tail, to);
        StateArrays.write(before, head, tail, to);
    }

    @Override
    public void read(final StateInput from, final int head, final int tail, final int capacity)
    {
        values = new long[capacity];
        next = new int[capacity];
        before = new int[capacity];
        StateArrays.read(values, head, tail, from);
        StateArrays.read(next, head, tail, from);
        StateArrays.read(before, head, tail, from);
    }
}
