package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * What remains of the changes of an instant when equal rows that enter and leave cancel each other. Rows that enter
 * keep their order, as do those that leave. Arrays are filled anew each time: growing copies no more than is given.
 *
 * <p>Threads: the engine's. Contents are valid until the next {@link #net}.
 */
final class Netting
{
    /** So few changes are compared with each other; more go through a table. */
    private static final int FEW = 8;

    private final RowStore store;
    private final RowCounts counts;
    private int[] entries = new int[16];
    private int entryCount;
    private int[] rows = new int[16];
    private boolean[] isPlus = new boolean[16];
    private int size;

    Netting(final RowStore store)
    {
        this.store = store;
        counts = new RowCounts(store);
    }

    int size()
    {
        return size;
    }

    int row(final int index)
    {
        return rows[index];
    }

    boolean isPlus(final int index)
    {
        return isPlus[index];
    }

    /** Nets a delta; its rows stay claimed by the delta. */
    void net(final Delta delta)
    {
        size = 0;
        if (delta.size() == 0)
        {
            return;
        }
        if (rows.length < delta.size())
        {
            rows = Arrays.copyOf(rows, delta.size() * 2);
            isPlus = Arrays.copyOf(isPlus, delta.size() * 2);
        }
        if (isOneSided(delta))
        {
            for (int i = 0; i < delta.size(); i++)
            {
                put(delta.row(i), delta.isPlus(i));
            }
            return;
        }
        if (delta.size() <= FEW)
        {
            netFew(delta);
            return;
        }
        sum(delta);
        // The last rows that enter are those that stay: earlier equal ones have left. Equal rows are alike anyway.
        for (int i = 0; i < delta.size(); i++)
        {
            final int entry = counts.find(delta.row(i));
            final long count = counts.count(entry);
            if (count != 0 && count > 0 == delta.isPlus(i))
            {
                put(delta.row(i), delta.isPlus(i));
                counts.change(delta.row(i), count > 0 ? -1 : 1);
            }
        }
        for (int i = 0; i < entryCount; i++)
        {
            counts.drop(entries[i]);
        }
    }

    /** As with a table: of equal rows the first ones stay, as many as are not cancelled. */
    private void netFew(final Delta delta)
    {
        for (int i = 0; i < delta.size(); i++)
        {
            int before = 0;
            int surplus = 1;
            for (int j = 0; j < delta.size(); j++)
            {
                if (j != i && RowStore.equalRows(store, delta.row(i), store, delta.row(j)))
                {
                    final boolean isAlike = delta.isPlus(i) == delta.isPlus(j);
                    surplus += isAlike ? 1 : -1;
                    before += isAlike && j < i ? 1 : 0;
                }
            }
            if (before < surplus)
            {
                put(delta.row(i), delta.isPlus(i));
            }
        }
    }

    private static boolean isOneSided(final Delta delta)
    {
        for (int i = 1; i < delta.size(); i++)
        {
            if (delta.isPlus(i) != delta.isPlus(0))
            {
                return false;
            }
        }
        return true;
    }

    private void sum(final Delta delta)
    {
        entryCount = 0;
        for (int i = 0; i < delta.size(); i++)
        {
            final int before = counts.size();
            final int entry = counts.change(delta.row(i), delta.isPlus(i) ? 1 : -1);
            if (counts.size() > before)
            {
                if (entryCount == entries.length)
                {
                    entries = Arrays.copyOf(entries, entryCount * 2);
                }
                entries[entryCount++] = entry;
            }
        }
    }

    private void put(final int row, final boolean plus)
    {
        rows[size] = row;
        isPlus[size++] = plus;
    }
}
