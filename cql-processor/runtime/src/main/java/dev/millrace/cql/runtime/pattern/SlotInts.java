package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * An array of ints that grows a piece at a time: nothing is copied and little is unused, however many partitions there
 * are.
 *
 * <p>Threads: the engine's.
 */
final class SlotInts
{
    private static final int SHIFT = 12;
    private static final int MASK = (1 << SHIFT) - 1;

    private int[][] pieces = new int[1][];
    private int count;

    /** Makes room up to an index. */
    void reach(final int index)
    {
        while (index >>> SHIFT >= count)
        {
            if (count == pieces.length)
            {
                pieces = Arrays.copyOf(pieces, count * 2);
            }
            pieces[count++] = new int[1 << SHIFT];
        }
    }

    int get(final int index)
    {
        return pieces[index >>> SHIFT][index & MASK];
    }

    void set(final int index, final int value)
    {
        pieces[index >>> SHIFT][index & MASK] = value;
    }
}
