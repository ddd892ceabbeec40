package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.HashPlaces;
import dev.millrace.cql.runtime.SlotInts;
import java.util.Arrays;

/**
 * Finds the one row of a store that has some values in some columns. Entries have dense ids, so that an owner can keep
 * more about each. Grows in small parts.
 *
 * <p>Threads: the engine's. Ownership: an entry claims its row.
 */
public final class RowIndex
{
    /** No entry. */
    public static final int NONE = -1;

    private static final int FIRST_PLACES = 16;
    /** Words of an entry. */
    private static final int ROW = 0;
    private static final int HASH = 1;
    private static final int WORDS = 2;

    private final RowStore store;
    private final int[] columns;
    private final HashPlaces table;
    private final SlotInts entries;
    private int used;
    private int firstFree = NONE;
    private int size;

    /**
     * Makes an empty index.
     *
     * @param store   of its rows
     * @param columns that make up the key
     */
    public RowIndex(final RowStore store, final int[] columns)
    {
        this.store = store;
        this.columns = columns.clone();
        table = new HashPlaces(FIRST_PLACES, this::hashOf, store.memory());
        entries = new SlotInts(WORDS, 0, store.memory());
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
     * Row of an entry.
     *
     * @param entry id
     * @return row id
     */
    public int row(final int entry)
    {
        return entries.get(entry, ROW);
    }

    private int hashOf(final int entry)
    {
        return entries.get(entry, HASH);
    }

    /**
     * The entry with the key of a row.
     *
     * @param row row id
     * @return entry or {@link #NONE}
     */
    public int find(final int row)
    {
        final int hash = store.hash(row, columns);
        final int[] places = table.places(hash);
        final int mask = places.length - 1;
        for (int index = hash & mask; places[index] != 0; index = index + 1 & mask)
        {
            final int entry = places[index] - 1;
            final int[] words = entries.chunk(entry);
            final int at = entries.at(entry);
            if (words[at + HASH] == hash && RowStore.equal(store, words[at + ROW], columns, store, row, columns))
            {
                return entry;
            }
        }
        return NONE;
    }

    /**
     * The entries whose rows belong to some partitions.
     *
     * @param partitions which
     * @param column     of the rows
     * @return ids, in no order
     */
    public int[] entriesOf(final PartitionTest partitions, final int column)
    {
        return Arrays.stream(entries()).filter(entry -> partitions.test(store, row(entry), column)).toArray();
    }

    /** All entries, in no order. */
    int[] entries()
    {
        final boolean[] isFree = new boolean[used];
        for (int entry = firstFree; entry != NONE; entry = entries.get(entry, ROW))
        {
            isFree[entry] = true;
        }
        return java.util.stream.IntStream.range(0, used)
            .filter(entry -> !isFree[entry]).toArray();
    }

    /**
     * Adds a row.
     *
     * @param row row id, claimed by the entry; nothing has its key
     * @return entry
     */
    public int add(final int row)
    {
        final int hash = store.hash(row, columns);
        final int entry = takeEntry();
        store.retain(row);
        final int[] words = entries.chunk(entry);
        final int at = entries.at(entry);
        words[at + ROW] = row;
        words[at + HASH] = hash;
        table.add(hash, entry);
        size++;
        return entry;
    }

    private int takeEntry()
    {
        if (firstFree != NONE)
        {
            final int entry = firstFree;
            firstFree = entries.get(entry, ROW);
            return entry;
        }
        entries.reach(used);
        return used++;
    }

    /**
     * Lets an entry have another row of the same key.
     *
     * @param entry id
     * @param row   claimed in place of the one it had
     */
    public void replace(final int entry, final int row)
    {
        store.retain(row);
        store.release(row(entry));
        entries.set(entry, ROW, row);
    }

    /**
     * Removes an entry and gives its claim back.
     *
     * @param entry id
     */
    public void remove(final int entry)
    {
        final int[] words = entries.chunk(entry);
        final int at = entries.at(entry);
        table.remove(words[at + HASH], entry);
        store.release(words[at + ROW]);
        words[at + ROW] = firstFree;
        firstFree = entry;
        size--;
    }
}
