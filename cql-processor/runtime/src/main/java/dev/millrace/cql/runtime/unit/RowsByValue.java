package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows of a slab by their value, so that a row can be removed of which only the value is known: among equal rows, the
 * one that arrived first.
 *
 * <p>Confined to the engine thread.
 */
public final class RowsByValue implements StateHolder
{
    /** Words of a record after the value: number of rows that have it, the first and the last of them. */
    private static final int FIRST = 1;
    private static final int LAST = 2;
    private static final int WORDS = 3;

    /** The value to look for or to add; the caller fills it first. */
    public final long[] key;
    private final LongsKeys keys;
    private final int count;
    private final MemoryAccount memory;
    /** The next row of the same value. */
    private int[] next = new int[RingArrays.FEWEST];

    /**
     * @param words   per value
     * @param codes   those words that are codes
     * @param maxRows maximum number of different values
     * @param memory  checked before it grows
     */
    public RowsByValue(final int words, final CodeColumns codes, final int maxRows, final MemoryAccount memory)
    {
        this.memory = memory;
        count = words;
        keys = new LongsKeys(words, words + WORDS, maxRows, memory);
        keys.hold(codes);
        key = keys.key;
    }

    /**
     * Adds a row that has the value {@link #key}.
     *
     * @param row number in its slab
     * @return false when the maximum is reached
     */
    public boolean add(final int row)
    {
        final int id = keys.findOrAdd();
        if (id == KeyTable.FULL)
        {
            return false;
        }
        if (row >= next.length)
        {
            final int length = Math.max(row + 1, next.length * 2);
            memory.charge((long)(length - next.length) * Integer.BYTES);
            next = Arrays.copyOf(next, length);
        }
        final long[] records = keys.records;
        final int at = id * (count + WORDS) + count;
        if (records[at]++ == 0)
        {
            records[at + FIRST] = row;
        }
        else
        {
            next[(int)records[at + LAST]] = row;
        }
        records[at + LAST] = row;
        return true;
    }

    /**
     * Removes the oldest row that has the value {@link #key}.
     *
     * @return its number, {@link RowSlab#NONE} if none exists
     */
    public int poll()
    {
        final int id = keys.findOrAdd();
        if (id == KeyTable.FULL)
        {
            return RowSlab.NONE;
        }
        final long[] records = keys.records;
        final int at = id * (count + WORDS) + count;
        if (records[at] == 0)
        {
            keys.dies(id);
            return RowSlab.NONE;
        }
        final int row = (int)records[at + FIRST];
        records[at + FIRST] = next[row];
        if (--records[at] == 0)
        {
            keys.dies(id);
        }
        return row;
    }

    /** Erases values that no row has; called at the end of a batch. */
    public void sweep()
    {
        keys.sweep(count);
    }

    @Override
    public void write(final StateOutput to)
    {
        keys.write(to);
        to.writeCount(next.length);
        to.writeInts(next, 0, next.length);
    }

    @Override
    public void read(final StateInput from)
    {
        keys.read(from);
        final int length = from.readSize(Integer.BYTES);
        memory.charge((long)(length - next.length) * Integer.BYTES);
        next = new int[length];
        from.readInts(next, 0, length);
    }
}
