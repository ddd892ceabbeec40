package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * What changes in one instant: rows that enter and rows that leave, in order. Holds a claim on each until it is
 * cleared. Its arrays are filled anew in each instant: growing copies no more than the instant has put in.
 *
 * <p>Threads: the engine's.
 */
public final class Delta
{
    private static final int FIRST_LENGTH = 16;

    private final RowStore store;
    private int[] rows = new int[FIRST_LENGTH];
    private boolean[] isPlus = new boolean[FIRST_LENGTH];
    private int size;

    /**
     * Makes an empty delta.
     *
     * @param store where its rows are
     */
    public Delta(final RowStore store)
    {
        this.store = store;
    }

    /**
     * Where the rows are.
     *
     * @return store
     */
    public RowStore store()
    {
        return store;
    }

    /**
     * Number of changes.
     *
     * @return at least 0
     */
    public int size()
    {
        return size;
    }

    /**
     * Row of a change.
     *
     * @param index from 0
     * @return row id
     */
    public int row(final int index)
    {
        return rows[index];
    }

    /**
     * Whether the row of a change enters.
     *
     * @param index from 0
     * @return false when it leaves
     */
    public boolean isPlus(final int index)
    {
        return isPlus[index];
    }

    /**
     * Adds a change and claims its row.
     *
     * @param row    row id
     * @param enters whether it enters
     */
    public void add(final int row, final boolean enters)
    {
        store.retain(row);
        give(row, enters);
    }

    /**
     * Adds a change together with the claim that the caller has on the row.
     *
     * @param row    row id
     * @param enters whether it enters
     */
    public void give(final int row, final boolean enters)
    {
        if (size == rows.length)
        {
            rows = Arrays.copyOf(rows, size * 2);
            isPlus = Arrays.copyOf(isPlus, size * 2);
        }
        rows[size] = row;
        isPlus[size++] = enters;
    }

    /** Forgets all changes. */
    public void clear()
    {
        final int count = size;
        size = 0;
        for (int i = 0; i < count; i++)
        {
            store.release(rows[i]);
        }
    }
}
