package dev.millrace.api.event;

/**
 * Open addressing from {@link String} objects to ids of a {@link Dictionary}. The object that came first is found by
 * its reference alone; of another one with the same text the hash is compared before the characters.
 *
 * <p>Objects, ids and hashes lie in arrays of their own, so that what the usual case reads is small. At most one
 * eighth full while that fits a core's second-level cache, a quarter full above. It does not grow: the dictionary
 * makes a larger one and moves entries to it slice by slice.
 *
 * <p>Threads: readers take no lock, and need no order of reads: a place is filled once, and whoever sees only part of
 * an entry sees id 0, which says "not here" and sends him to the lock. Insertions are made by one thread at a time.
 */
final class TextTable
{
    private static final int FACTOR = 0x9E3779B9;
    private static final int INITIAL_PLACES = 256;
    private static final int SPARSE_PLACES = 1 << 15;
    /** Strings that share a place beyond this are not kept: chosen collisions stay harmless. */
    private static final int MOST_PROBES = 32;
    private static final int LEAST_MOVE = 1 << 10;

    private final String[] keys;
    private final int[] ids;
    private final int[] hashes;
    private final int shift;
    private int used;

    TextTable()
    {
        this(INITIAL_PLACES);
    }

    private TextTable(final int places)
    {
        keys = new String[places];
        ids = new int[places];
        hashes = new int[places];
        shift = Integer.SIZE - Integer.numberOfTrailingZeros(places);
    }

    /** The id of a string, 0 when it is not here. */
    int find(final String string)
    {
        final int hash = string.hashCode();
        final int index = (hash * FACTOR) >>> shift;
        return keys[index] == string ? ids[index] : search(string, hash, index);
    }

    /**
     * The ids of several strings at once; false when one of them is not here or {@code null} and has id 0. Arrays are
     * held in locals, since the call of the rare case would have them fetched again for each string.
     */
    boolean find(final String[] strings, final int from, final int count, final int[] found)
    {
        if (count > 0 && strings[from] == strings[from + (count >> 1)] &&
            strings[from] == strings[from + count - 1])
        {
            return findRun(strings, from, count, found);
        }
        final String[] known = keys;
        final int[] idOf = ids;
        final int right = shift;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++)
        {
            final String string = strings[from + i];
            int id = 0;
            if (string != null)
            {
                final int hash = string.hashCode();
                final int index = (hash * FACTOR) >>> right;
                id = known[index] == string ? idOf[index] : search(string, hash, index);
            }
            found[i] = id;
            least = Math.min(least, id);
        }
        return least > 0;
    }

    /** The same where one object comes again and again: it is looked up when it is another than the last one. */
    private boolean findRun(final String[] strings, final int from, final int count, final int[] found)
    {
        String last = null;
        int id = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < count; i++)
        {
            final String string = strings[from + i];
            if (string != last)
            {
                last = string;
                id = string == null ? 0 : find(string);
            }
            found[i] = id;
            least = Math.min(least, id);
        }
        return least > 0;
    }

    /** First by references, which lie side by side; then other objects of the same text, by hash. */
    private int search(final String string, final int hash, final int start)
    {
        int index = start;
        for (int probe = 0; probe < MOST_PROBES && keys[index] != null; probe++)
        {
            if (keys[index] == string)
            {
                return ids[index];
            }
            index = index + 1 & keys.length - 1;
        }
        index = start;
        for (int probe = 0; probe < MOST_PROBES; probe++)
        {
            final String known = keys[index];
            if (known == null)
            {
                return 0;
            }
            if (hashes[index] == hash && known.equals(string))
            {
                return ids[index];
            }
            index = index + 1 & keys.length - 1;
        }
        return 0;
    }

    /** Whether a larger one is due. */
    boolean isCrowded()
    {
        return used >= (keys.length <= SPARSE_PLACES ? keys.length / 8 : keys.length / 4);
    }

    /** An empty one of twice the places. */
    TextTable larger()
    {
        return new TextTable(keys.length * 2);
    }

    /** Puts a string in that is not here; not when too many share its place. */
    void insert(final String string, final int id)
    {
        final int hash = string.hashCode();
        int index = (hash * FACTOR) >>> shift;
        for (int probe = 0; probe < MOST_PROBES; probe++)
        {
            if (keys[index] == null)
            {
                ids[index] = id;
                hashes[index] = hash;
                keys[index] = string;
                used++;
                return;
            }
            index = index + 1 & keys.length - 1;
        }
    }

    /** Copies the entries of a slice to another table, those that are there already excepted; gives where it ended. */
    int moveSlice(final int from, final TextTable to)
    {
        final int end = Math.min(keys.length, from + Math.max(LEAST_MOVE, keys.length >>> 8));
        for (int i = from; i < end; i++)
        {
            if (keys[i] != null && to.find(keys[i]) == 0)
            {
                to.insert(keys[i], ids[i]);
            }
        }
        return end;
    }

    /** Places in all. */
    int places()
    {
        return keys.length;
    }
}
