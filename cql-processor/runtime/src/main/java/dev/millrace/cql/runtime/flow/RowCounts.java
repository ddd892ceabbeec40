package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.SlotLongs;

/**
 * A bag of rows: different rows with how often they occur, in order of first occurrence. Threads: the engine's.
 */
final class RowCounts
{
    private static final int COUNT = 0;
    private static final int ORDER = 1;

    private final RowIndex rows;
    /** Of each entry: how often it occurs, and when it was made. */
    private final SlotLongs counts;
    private long nextOrder;

    RowCounts(final RowStore store, final int[] columns)
    {
        this(RowIndex.unique(store, columns), store.memory());
    }

    private RowCounts(final RowIndex rows, final MemoryAccount memory)
    {
        this.rows = rows;
        counts = new SlotLongs(2, memory);
    }

    /** Counts of whole rows that their owner charges, since they do not live as long as the store. */
    static RowCounts uncharged(final RowStore store)
    {
        return new RowCounts(
            RowIndex.unique(store, RowIndex.allColumns(store), MemoryAccount.NONE), MemoryAccount.NONE);
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
        return entry == RowIndex.NONE ? 0 : counts.get(entry, COUNT);
    }

    int row(final int entry)
    {
        return rows.row(entry);
    }

    /** When the entry was made, against others. */
    long order(final int entry)
    {
        return counts.get(entry, ORDER);
    }

    /** Changes the count of a row, which may become 0 or negative; the entry stays until {@link #drop}. */
    int change(final int row, final long by)
    {
        int entry = rows.find(row);
        if (entry == RowIndex.NONE)
        {
            entry = rows.add(row);
            counts.reach(entry);
            counts.set(entry, COUNT, 0);
            counts.set(entry, ORDER, nextOrder++);
        }
        counts.chunk(entry)[counts.at(entry) + COUNT] += by;
        return entry;
    }

    /** Gives all claims back. */
    void dropAll()
    {
        for (final int entry : rows.entries())
        {
            drop(entry);
        }
    }

    void drop(final int entry)
    {
        rows.remove(entry);
        counts.set(entry, COUNT, 0);
    }
}
