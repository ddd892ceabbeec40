package dev.millrace.cql.runtime;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Writes and reads the rows of a window, each of which has its time in the first word, and in the lower half of the
 * second one the slot of its group. Groups are numbered in the order in which they are written. Keeps no state.
 */
public final class WindowRows
{
    private static final long UPPER = -1L << Integer.SIZE;

    private WindowRows()
    {
    }

    /**
     * Writes rows.
     *
     * @param ring    has them
     * @param numbers by slot: number of the group, or negative when it is not written
     * @param to      takes them
     */
    public static void write(final RowRing ring, final int[] numbers, final StateOutput to)
    {
        final long[] rows = ring.rows();
        final int words = ring.rowWords();
        int kept = 0;
        for (int at = 0; at < rows.length; at += words)
        {
            final int number = numbers[(int)rows[at + 1]];
            if (number >= 0)
            {
                System.arraycopy(rows, at, rows, kept, words);
                rows[kept + 1] = rows[kept + 1] & UPPER | number;
                kept += words;
            }
        }
        to.writeCount(kept / words);
        to.writeLongs(rows, 0, kept);
    }

    /**
     * Takes rows away whose group is forgotten.
     *
     * @param ring    has them
     * @param numbers by slot: negative when the group is forgotten
     */
    public static void forget(final RowRing ring, final int[] numbers)
    {
        final long[] rows = ring.rows();
        final int words = ring.rowWords();
        for (int at = 0; at < rows.length; at += words)
        {
            ring.remove();
        }
        for (int at = 0; at < rows.length; at += words)
        {
            if (numbers[(int)rows[at + 1]] >= 0)
            {
                ring.add(rows, at);
            }
        }
    }

    /**
     * Adds rows that were written. Those that are there already stay before those of the same time.
     *
     * @param ring  takes them
     * @param slots by number of the group
     * @param count of the groups
     * @param from  gives them
     * @throws StateException when a row has no group or finds no room
     */
    public static void read(final RowRing ring, final int[] slots, final int count, final StateInput from)
    {
        final int words = ring.rowWords();
        final long[] rows = new long[from.readSize(words * Long.BYTES) * words];
        from.readLongs(rows, 0, rows.length);
        for (int at = 0; at < rows.length; at += words)
        {
            rows[at + 1] = rows[at + 1] & UPPER | slots[StateInput.checked((int)rows[at + 1], count, "group")];
        }
        final long[] own = ring.rows();
        for (int i = 0; i < own.length; i += words)
        {
            ring.remove();
        }
        int next = 0;
        for (int at = 0; at < rows.length; at += words)
        {
            while (next < own.length && own[next] <= rows[at])
            {
                ring.add(own, next);
                next += words;
            }
            ring.add(rows, at);
        }
        for (; next < own.length; next += words)
        {
            ring.add(own, next);
        }
    }
}
