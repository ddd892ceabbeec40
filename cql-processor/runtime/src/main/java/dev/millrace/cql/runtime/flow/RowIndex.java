package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * Finds rows of a store by the values of some columns. Rows with equal values are found in the order they were added.
 * Entries have dense ids, so that an owner can keep more about each in arrays.
 *
 * <p>Threads: the engine's. Ownership: an entry claims its row.
 */
public final class RowIndex
{
    /** No entry. */
    public static final int NONE = -1;

    private static final int FIRST_PLACES = 16;

    private final RowStore store;
    private final int[] columns;
    private int[] heads = new int[FIRST_PLACES];
    private int[] tails = new int[FIRST_PLACES];
    private int[] rows = new int[FIRST_PLACES];
    private int[] hashes = new int[FIRST_PLACES];
    private int[] next = new int[FIRST_PLACES];
    private int[] previous = new int[FIRST_PLACES];
    private int used;
    private int firstFree = NONE;
    private int size;

    /**
     * Makes an empty index.
     *
     * @param store   of its rows
     * @param columns that make up the key; none puts all rows together
     */
    public RowIndex(final RowStore store, final int[] columns)
    {
        this.store = store;
        this.columns = columns.clone();
        Arrays.fill(heads, NONE);
        Arrays.fill(tails, NONE);
    }

    /**
     * All columns of a store.
     *
     * @param store with how many columns
     * @return 0, 1, 2, ...
     */
    public static int[] allColumns(final RowStore store)
    {
        final int[] all = new int[store.layout().columnCount()];
        Arrays.setAll(all, i -> i);
        return all;
    }

    /**
     * Number of entries.
     *
     * @return at least 0
     */
    public int size()
    {
        return size;
    }

    /**
     * All entry ids so far are below this.
     *
     * @return one more than the greatest
     */
    public int limit()
    {
        return used;
    }

    /**
     * Row of an entry.
     *
     * @param entry id
     * @return row id
     */
    public int row(final int entry)
    {
        return rows[entry];
    }

    /**
     * The first entry with the key of a row of this index' own store.
     *
     * @param row row id
     * @return entry or {@link #NONE}
     */
    public int find(final int row)
    {
        return find(store, row, columns);
    }

    /**
     * The first entry with a key.
     *
     * @param probe        store of the row that has the key
     * @param probeRow     that row
     * @param probeColumns columns of the key there
     * @return entry or {@link #NONE}
     */
    public int find(final RowStore probe, final int probeRow, final int[] probeColumns)
    {
        final int hash = probe.hash(probeRow, probeColumns);
        return search(heads[hash & heads.length - 1], hash, probe, probeRow, probeColumns);
    }

    /**
     * The next entry with the same key.
     *
     * @param entry        from {@code find} or this
     * @param probe        as in {@code find}
     * @param probeRow     as in {@code find}
     * @param probeColumns as in {@code find}
     * @return entry or {@link #NONE}
     */
    public int findNext(final int entry, final RowStore probe, final int probeRow, final int[] probeColumns)
    {
        return search(next[entry], hashes[entry], probe, probeRow, probeColumns);
    }

    private int search(
        final int from, final int hash, final RowStore probe, final int probeRow, final int[] probeColumns)
    {
        int entry = from;
        while (entry != NONE &&
            (hashes[entry] != hash || !RowStore.equal(store, rows[entry], columns, probe, probeRow, probeColumns)))
        {
            entry = next[entry];
        }
        return entry;
    }

    /**
     * Adds a row, also when there are others with its key.
     *
     * @param row row id, claimed by the entry
     * @return entry
     */
    public int add(final int row)
    {
        if (size >= heads.length)
        {
            grow();
        }
        final int entry = takeEntry();
        store.retain(row);
        rows[entry] = row;
        hashes[entry] = store.hash(row, columns);
        append(entry);
        size++;
        return entry;
    }

    private int takeEntry()
    {
        if (firstFree != NONE)
        {
            final int entry = firstFree;
            firstFree = next[entry];
            return entry;
        }
        if (used == rows.length)
        {
            final int length = used * 2;
            rows = Arrays.copyOf(rows, length);
            hashes = Arrays.copyOf(hashes, length);
            next = Arrays.copyOf(next, length);
            previous = Arrays.copyOf(previous, length);
        }
        return used++;
    }

    private void append(final int entry)
    {
        final int place = hashes[entry] & heads.length - 1;
        next[entry] = NONE;
        previous[entry] = tails[place];
        if (tails[place] == NONE)
        {
            heads[place] = entry;
        }
        else
        {
            next[tails[place]] = entry;
        }
        tails[place] = entry;
    }

    private void grow()
    {
        final int[] oldHeads = heads;
        heads = new int[oldHeads.length * 2];
        tails = new int[heads.length];
        Arrays.fill(heads, NONE);
        Arrays.fill(tails, NONE);
        for (final int head : oldHeads)
        {
            int entry = head;
            while (entry != NONE)
            {
                final int following = next[entry];
                append(entry);
                entry = following;
            }
        }
    }

    /**
     * Removes an entry and gives its claim back.
     *
     * @param entry id
     */
    public void remove(final int entry)
    {
        final int place = hashes[entry] & heads.length - 1;
        if (previous[entry] == NONE)
        {
            heads[place] = next[entry];
        }
        else
        {
            next[previous[entry]] = next[entry];
        }
        if (next[entry] == NONE)
        {
            tails[place] = previous[entry];
        }
        else
        {
            previous[next[entry]] = previous[entry];
        }
        store.release(rows[entry]);
        next[entry] = firstFree;
        firstFree = entry;
        size--;
    }
}
