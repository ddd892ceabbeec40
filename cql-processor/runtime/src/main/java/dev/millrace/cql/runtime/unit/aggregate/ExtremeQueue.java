package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.state.RingPart;
import dev.millrace.cql.runtime.state.StateArrays;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.Rings;

/**
 * The greatest value of each group of the rows of a window that leave in the order in which they came: of each group a
 * queue of rows, each greater than all behind it, chained through the ring of the window. Its first row has the
 * greatest value; a row takes an amortised constant time.
 *
 * <p>A group has two words in its record: positions of the first and the last row of its queue, and the greatest value.
 * Values are longs in their order; for the least value they are given complemented.
 *
 * <p>Threads: the engine's.
 */
public final class ExtremeQueue implements RingPart
{
    /** Words of a group. */
    public static final int WORDS = 2;
    /** What a row takes. */
    public static final long ROW_BYTES = Long.BYTES + 2L * Integer.BYTES;

    private static final int VALUE = 1;
    private static final long LOW = 0xFFFFFFFFL;

    private long[] values = new long[Rings.FEWEST];
    /** Position of the next row of the queue, and of the one before. */
    private int[] next = new int[Rings.FEWEST];
    private int[] before = new int[Rings.FEWEST];

    /** Makes an empty one. */
    public ExtremeQueue()
    {
        // Rings begin with the same number of places.
    }

    /**
     * Follows the ring, which has twice the places now.
     *
     * @param head position of the oldest row
     * @param tail position of the next row
     */
    public void grow(final int head, final int tail)
    {
        values = (long[])Rings.grown(values, head, tail);
        next = (int[])Rings.grown(next, head, tail);
        before = (int[])Rings.grown(before, head, tail);
    }

    private static long pair(final int first, final int last)
    {
        return (long)first << Integer.SIZE | last & LOW;
    }

    /**
     * A row enters.
     *
     * @param record  of the group
     * @param at      first word
     * @param id      position of the row
     * @param value   its value
     * @param isFirst whether the group has no other row with a value
     */
    public void enter(final long[] record, final int at, final int id, final long value, final boolean isFirst)
    {
        final int mask = values.length - 1;
        final int place = id & mask;
        values[place] = value;
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
        before[place] = last;
        record[at] = pair((int)(record[at] >>> Integer.SIZE), id);
    }

    /**
     * A row leaves.
     *
     * @param record of the group
     * @param at     first word
     * @param id     position of the row
     * @param isLast whether the group has no other row with a value any more
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
    public void read(final StateInput from, final int head, final int tail, final int places)
    {
        values = new long[places];
        next = new int[places];
        before = new int[places];
        StateArrays.read(values, head, tail, from);
        StateArrays.read(next, head, tail, from);
        StateArrays.read(before, head, tail, from);
    }
}
