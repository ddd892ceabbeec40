package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotInts;

/**
 * The rows of one side of a join, by their keys. A row that leaves is one with its value: among few rows of a key it is
 * looked for one by one; once there are many, all rows are indexed by their whole value as well.
 *
 * <p>Threads: the engine's. Ownership: an entry claims its row.
 */
final class JoinRows
{
    private static final int FEW = 16;

    private final RowStore store;
    private final RowIndex byKey;
    /** {@code null} as long as keys have few rows. */
    private RowIndex byValue;
    /** Entry by key of each entry by value. */
    private final SlotInts entries = new SlotInts();
    private int foundByValue = RowIndex.NONE;

    /**
     * Makes it empty.
     *
     * @param store of the rows
     * @param keys  columns of the key
     */
    JoinRows(final RowStore store, final int[] keys)
    {
        this.store = store;
        byKey = new RowIndex(store, keys);
    }

    /** The rows by their keys; not to be changed. */
    RowIndex byKey()
    {
        return byKey;
    }

    /** Adds a row; gives its entry by key. */
    int add(final int row)
    {
        final int entry = byKey.add(row);
        if (byValue != null)
        {
            addByValue(row, entry);
        }
        return entry;
    }

    private void addByValue(final int row, final int entry)
    {
        final int value = byValue.add(row);
        entries.reach(value);
        entries.set(value, entry);
    }

    /** The entry of a row with the value of one that leaves; {@link RowIndex#NONE} when it is not there. */
    int leaving(final int row)
    {
        if (byValue == null)
        {
            int entry = byKey.find(row);
            for (int i = 0; i < FEW; i++)
            {
                if (entry == RowIndex.NONE || byKey.row(entry) == row ||
                    RowStore.equalRows(store, byKey.row(entry), store, row))
                {
                    return entry;
                }
                entry = byKey.findNext(entry);
            }
            index();
        }
        foundByValue = byValue.find(row);
        return foundByValue == RowIndex.NONE ? RowIndex.NONE : entries.get(foundByValue);
    }

    private void index()
    {
        byValue = new RowIndex(store, RowIndex.allColumns(store));
        for (final int entry : byKey.entries())
        {
            addByValue(byKey.row(entry), entry);
        }
    }

    /** Removes the entry that {@link #leaving} has given last. */
    void remove(final int entry)
    {
        byKey.remove(entry);
        if (byValue != null)
        {
            byValue.remove(foundByValue);
        }
    }

    int size()
    {
        return byKey.size();
    }
}
