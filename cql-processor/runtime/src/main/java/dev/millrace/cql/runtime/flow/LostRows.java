package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.LongSlots;
import dev.millrace.cql.runtime.SlotInts;

/**
 * Rows that an operator has turned away when they entered, by two hashes of their values: they are not to leave later.
 * Holds no claims, and remembers a bounded number of different rows.
 *
 * <p>Threads: the engine's.
 */
final class LostRows
{
    /** Greatest number of different rows. */
    static final int MAX_ROWS = 1 << 20;
    /** What a message says of a row that there was no room to remember. */
    static final String FORGOTTEN =
        "; too many rows were turned away to remember all: results may be wrong until the rule is started anew";

    private static final int HALF = 32;

    private final int maxRows;
    private final int[] columns;
    private final int[] reversed;
    private final LongSlots slots = new LongSlots();
    private final SlotInts counts = new SlotInts();

    /**
     * Makes an empty bag.
     *
     * @param store   of one layout with the rows
     * @param maxRows bound; at most {@link #MAX_ROWS} count
     */
    LostRows(final RowStore store, final int maxRows)
    {
        this.maxRows = Math.min(maxRows, MAX_ROWS);
        columns = RowIndex.allColumns(store);
        reversed = new int[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            reversed[i] = columns[columns.length - 1 - i];
        }
    }

    /** Remembers a row; false when there is no room for it. */
    boolean add(final RowStore store, final int row)
    {
        final long key = key(store, row);
        final int known = slots.find(key);
        if (known == LongSlots.NONE && slots.size() >= maxRows)
        {
            return false;
        }
        final int slot = slots.slotOf(key);
        counts.reach(slot);
        counts.set(slot, known == LongSlots.NONE ? 1 : counts.get(slot) + 1);
        return true;
    }

    /** Forgets a row that leaves; false when it was not turned away. */
    boolean remove(final RowStore store, final int row)
    {
        if (slots.size() == 0)
        {
            return false;
        }
        final long key = key(store, row);
        final int slot = slots.find(key);
        if (slot == LongSlots.NONE)
        {
            return false;
        }
        counts.set(slot, counts.get(slot) - 1);
        if (counts.get(slot) == 0)
        {
            slots.remove(key);
        }
        return true;
    }

    private long key(final RowStore store, final int row)
    {
        return (long)store.hash(row, columns) << HALF ^ store.hash(row, reversed);
    }
}
