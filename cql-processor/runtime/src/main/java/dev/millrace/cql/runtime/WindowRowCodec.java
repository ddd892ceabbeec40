package dev.millrace.cql.runtime;

import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.RowRing;

/**
 * Writes and reads the rows of a window. The first word of each row is its time; the lower half of the second word is
 * the slot of its group. Groups are numbered in the order in which they are written. Stateless.
 */
public final class WindowRowCodec
{
    private static final long UPPER = -1L << Integer.SIZE;

    private WindowRowCodec()
    {
    }

    /**
     * Writes rows.
     *
     * @param numbers number of the group by slot; negative when it is not written
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
     * Removes the rows of discarded groups.
     *
     * @param numbers by slot: negative when the group is discarded
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
     * Adds rows that were written. Existing rows stay before added rows of the same time.
     *
     * @param slots by number of the group
     * @param count number of groups
     * @throws StateException when a row has no group or exceeds the capacity
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
