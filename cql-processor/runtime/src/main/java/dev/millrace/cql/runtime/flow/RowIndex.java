package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.HashPlaces;
import dev.millrace.cql.runtime.SlotInts;
import java.util.Arrays;

/**
 * Finds rows of a store by the values of some columns. Rows with equal values are found in the order they were added:
 * the first one is in a table of hashes, the others follow it in a list. Where there is one row a key, there are no
 * lists. Entries have dense ids, so that an owner can keep more about each. Grows in small parts.
 *
 * <p>Threads: the engine's. Ownership: an entry claims its row.
 */
public final class RowIndex
{
    /** No entry. */
    public static final int NONE = -1;

    private static final int FIRST_PLACES = 16;
    /** Words of an entry: its row and hash, and where keys have lists the entries after and before it. */
    private static final int ROW = 0;
    private static final int HASH = 1;
    private static final int NEXT = 2;
    private static final int PREVIOUS = 3;
    private static final int UNIQUE_WORDS = 2;
    private static final int LIST_WORDS = 4;

    private final RowStore store;
    private final int[] columns;
    private final boolean isUnique;
    private final HashPlaces table;
    private final SlotInts entries;
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
        this(store, columns, false, store.memory());
    }

    private RowIndex(final RowStore store, final int[] columns, final boolean isUnique, final MemoryAccount memory)
    {
        this.store = store;
        this.columns = columns.clone();
        this.isUnique = isUnique;
        table = new HashPlaces(FIRST_PLACES, this::hashOf, memory);
        entries = new SlotInts(isUnique ? UNIQUE_WORDS : LIST_WORDS, 0, memory);
    }

    /**
     * Makes an empty index for one row a key, which takes less memory.
     *
     * @param store   of its rows
     * @param columns that make up the key
     * @return index; who adds a row knows that its key is not there
     */
    public static RowIndex unique(final RowStore store, final int[] columns)
    {
        return unique(store, columns, store.memory());
    }

    /** The same, with another account than that of the store. */
    static RowIndex unique(final RowStore store, final int[] columns, final MemoryAccount memory)
    {
        return new RowIndex(store, columns, true, memory);
    }

    /**
     * All columns that a store keeps.
     *
     * @param store of rows
     * @return ascending indexes
     */
    public static int[] allColumns(final RowStore store)
    {
        return store.layout().columns().clone();
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
        return find(probe.hash(probeRow, probeColumns), probe, probeRow, probeColumns);
    }

    private int find(final int hash, final RowStore probe, final int probeRow, final int[] probeColumns)
    {
        final int[] places = table.places(hash);
        final int mask = places.length - 1;
        for (int index = hash & mask; places[index] != 0; index = index + 1 & mask)
        {
            final int entry = places[index] - 1;
            final int[] words = entries.chunk(entry);
            final int at = entries.at(entry);
            if (words[at + HASH] == hash &&
                RowStore.equal(store, words[at + ROW], columns, probe, probeRow, probeColumns))
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
     * The next entry with the same key, where there are lists.
     *
     * @param entry from {@code find} or this
     * @return entry or {@link #NONE}
     */
    public int findNext(final int entry)
    {
        return entries.get(entry, NEXT);
    }

    /**
     * Adds a row, where there are lists also when others have its key.
     *
     * @param row row id, claimed by the entry
     * @return entry
     */
    public int add(final int row)
    {
        final int hash = store.hash(row, columns);
        final int first = isUnique ? NONE : find(hash, store, row, columns);
        final int entry = takeEntry();
        store.retain(row);
        final int[] words = entries.chunk(entry);
        final int at = entries.at(entry);
        words[at + ROW] = row;
        words[at + HASH] = hash;
        if (!isUnique)
        {
            words[at + NEXT] = NONE;
            words[at + PREVIOUS] = first == NONE ? entry : append(first, entry);
        }
        if (first == NONE)
        {
            table.add(hash, entry);
        }
        size++;
        return entry;
    }

    /** Puts an entry behind the last one of its key, which is known as the one before the first; gives that one. */
    private int append(final int first, final int entry)
    {
        final int[] words = entries.chunk(first);
        final int at = entries.at(first) + PREVIOUS;
        final int last = words[at];
        words[at] = entry;
        entries.set(last, NEXT, entry);
        return last;
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
        final int hash = words[at + HASH];
        final int next = isUnique ? NONE : words[at + NEXT];
        final int previous = isUnique ? entry : words[at + PREVIOUS];
        if (next == NONE && previous == entry)
        {
            table.remove(hash, entry);
        }
        else
        {
            unlink(entry, hash, next, previous);
        }
        store.release(words[at + ROW]);
        words[at + ROW] = firstFree;
        firstFree = entry;
        size--;
    }

    private void unlink(final int entry, final int hash, final int next, final int previous)
    {
        if (entries.get(previous, NEXT) == NONE)
        {
            table.replace(hash, entry, next);
        }
        else
        {
            entries.set(previous, NEXT, next);
        }
        entries.set(next == NONE ? firstBefore(entry, hash) : next, PREVIOUS, previous);
    }

    /** The first entry of the key whose last entry this is. */
    private int firstBefore(final int last, final int hash)
    {
        final int[] places = table.places(hash);
        int index = hash & places.length - 1;
        while (entries.get(places[index] - 1, PREVIOUS) != last)
        {
            index = index + 1 & places.length - 1;
        }
        return places[index] - 1;
    }
}
