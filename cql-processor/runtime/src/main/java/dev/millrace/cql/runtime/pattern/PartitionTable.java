package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;

/**
 * Dense numbers ("slots") for the partitions of a stream. A partition is known by one of its rows, which the table
 * claims: the last one, so that nothing is kept that need not be. The table grows in small parts, one at a time.
 *
 * <p>Threads: the engine's.
 */
final class PartitionTable
{
    /** No such partition. */
    static final int NONE = -1;

    private static final int SEGMENT_BITS = 8;
    private static final int FIRST_SEGMENT = 4;

    private final RowStore store;
    private final int[] columns;
    /** Slots plus one by hash; 0 is free. */
    private final int[][] segments = new int[1 << SEGMENT_BITS][FIRST_SEGMENT];
    private final int[] sizes = new int[1 << SEGMENT_BITS];
    private final SlotInts hashes = new SlotInts();
    private final SlotInts rows = new SlotInts();
    private int used;
    private int firstFree = NONE;
    private int size;

    PartitionTable(final RowStore store, final int[] columns)
    {
        this.store = store;
        this.columns = columns;
    }

    int size()
    {
        return size;
    }

    /** All slots so far are below this. */
    int limit()
    {
        return used;
    }

    int row(final int slot)
    {
        return rows.get(slot);
    }

    private int hash(final int row)
    {
        return store.hash(row, columns);
    }

    int find(final int row)
    {
        final int hash = hash(row);
        final int[] segment = segments[hash >>> Integer.SIZE - SEGMENT_BITS];
        int place = hash & segment.length - 1;
        while (segment[place] != 0)
        {
            final int slot = segment[place] - 1;
            if (hashes.get(slot) == hash && RowStore.equal(store, rows.get(slot), columns, store, row, columns))
            {
                return slot;
            }
            place = place + 1 & segment.length - 1;
        }
        return NONE;
    }

    /** Adds the partition of a row, which is not there. */
    int add(final int row)
    {
        final int slot;
        if (firstFree == NONE)
        {
            slot = used++;
            rows.reach(slot);
            hashes.reach(slot);
        }
        else
        {
            slot = firstFree;
            firstFree = rows.get(slot);
        }
        store.retain(row);
        rows.set(slot, row);
        hashes.set(slot, hash(row));
        final int number = hashes.get(slot) >>> Integer.SIZE - SEGMENT_BITS;
        if ((sizes[number] + 1) * 4 > segments[number].length * 3)
        {
            grow(number);
        }
        sizes[number]++;
        place(segments[number], slot);
        size++;
        return slot;
    }

    private void place(final int[] segment, final int slot)
    {
        int place = hashes.get(slot) & segment.length - 1;
        while (segment[place] != 0)
        {
            place = place + 1 & segment.length - 1;
        }
        segment[place] = slot + 1;
    }

    private void grow(final int number)
    {
        final int[] old = segments[number];
        final int[] bigger = new int[old.length * 2];
        for (final int entry : old)
        {
            if (entry != 0)
            {
                place(bigger, entry - 1);
            }
        }
        segments[number] = bigger;
    }

    /** Takes another row of the same partition in place of the one it is known by. */
    void replace(final int slot, final int row)
    {
        store.retain(row);
        store.release(rows.get(slot));
        rows.set(slot, row);
    }

    void remove(final int slot)
    {
        final int number = hashes.get(slot) >>> Integer.SIZE - SEGMENT_BITS;
        final int[] segment = segments[number];
        int hole = hashes.get(slot) & segment.length - 1;
        while (segment[hole] != slot + 1)
        {
            hole = hole + 1 & segment.length - 1;
        }
        int place = hole + 1 & segment.length - 1;
        while (segment[place] != 0)
        {
            final int home = hashes.get(segment[place] - 1) & segment.length - 1;
            if ((place - home & segment.length - 1) >= (place - hole & segment.length - 1))
            {
                segment[hole] = segment[place];
                hole = place;
            }
            place = place + 1 & segment.length - 1;
        }
        segment[hole] = 0;
        sizes[number]--;
        store.release(rows.get(slot));
        rows.set(slot, firstFree);
        firstFree = slot;
        size--;
    }
}
