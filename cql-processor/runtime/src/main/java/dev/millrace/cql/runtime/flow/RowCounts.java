package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * A bag of rows: different rows with how often they occur, in order of first occurrence. Threads: the engine's.
 */
final class RowCounts
{
    private final RowIndex rows;
    private long[] counts = new long[16];
    private long[] order = new long[16];
    private long nextOrder;

    RowCounts(final RowStore store, final int[] columns)
    {
        rows = new RowIndex(store, columns);
    }

    RowCounts(final RowStore store)
    {
        this(store, RowIndex.allColumns(store));
    }

    /** Different rows. */
    int size()
    {
        return rows.size();
    }

    /** Entries are below this; some may be free. */
    int limit()
    {
        return rows.limit();
    }

    int find(final int row)
    {
        return rows.find(row);
    }

    int find(final RowStore store, final int row, final int[] columns)
    {
        return rows.find(store, row, columns);
    }

    long count(final int entry)
    {
        return entry == RowIndex.NONE ? 0 : counts[entry];
    }

    int row(final int entry)
    {
        return rows.row(entry);
    }

    /** When the entry was made, against others. */
    long order(final int entry)
    {
        return order[entry];
    }

    /** Changes the count of a row, which may become 0 or negative; the entry stays until {@link #drop}. */
    int change(final int row, final long by)
    {
        int entry = rows.find(row);
        if (entry == RowIndex.NONE)
        {
            entry = rows.add(row);
            if (entry >= counts.length)
            {
                counts = Arrays.copyOf(counts, entry * 2);
                order = Arrays.copyOf(order, entry * 2);
            }
            counts[entry] = 0;
            order[entry] = nextOrder++;
        }
        counts[entry] += by;
        return entry;
    }

    void drop(final int entry)
    {
        rows.remove(entry);
        counts[entry] = 0;
    }
}
