package dev.millrace.api.string;

/**
 * A hash table from strings to codes with open addressing, linear probing and removal that shifts entries back, so no
 * tombstones are needed. Subclasses define the entries; an entry contains at least the bits of its hash that determine
 * its slot, so moving entries reads only the table.
 *
 * <p>A small table is one array, at most one eighth full while that fits a core's second-level cache. From
 * {@value #FLAT_WORDS} words on it is split into {@value #PARTS} parts by the top bits of the hash; each part is at
 * most half full and grows separately, so no insertion copies more than one part. A table never shrinks.
 *
 * <p>Not thread-safe.
 */
abstract class StringHashIndex
{
    /** Maximum number of words of a table that is one array: 512 KiB. */
    static final int FLAT_WORDS = 1 << 16;

    private static final int INITIAL_PLACES = 256;
    private static final int PARTS = 256;
    private static final int PART_SHIFT = Long.SIZE - 8;

    private final int wordShift;
    private long[][] parts;
    private int[] used = new int[1];
    private int partMask;

    /**
     * Creates an empty table.
     *
     * @param wordShift base-2 logarithm of the number of words per entry
     */
    StringHashIndex(final int wordShift)
    {
        this.wordShift = wordShift;
        parts = new long[][]{new long[INITIAL_PLACES << wordShift]};
    }

    /** The hash of the entry in an occupied slot; only its upper half has to be correct. */
    abstract long hash(long[] part, int index);

    /** The code in a slot, 0 when it is free. */
    abstract int code(long[] part, int index);

    /** The array that contains the slots of a hash. */
    final long[] part(final long hash)
    {
        return parts[(int)(hash >>> PART_SHIFT) & partMask];
    }

    /** The array of a table that is one array; {@code null} once it has been split. */
    final long[] whole()
    {
        return partMask == 0 ? parts[0] : null;
    }

    /** The slot where the search for a hash starts. */
    final int start(final long[] part, final long hash)
    {
        return (int)(hash >>> Integer.SIZE) << wordShift & part.length - 1;
    }

    /** The slot where the search continues. */
    final int next(final long[] part, final int index)
    {
        return index + (1 << wordShift) & part.length - 1;
    }

    /** Bytes of its arrays. */
    final long bytes()
    {
        long words = 0;
        for (final long[] part : parts)
        {
            words += part.length;
        }
        return words * Long.BYTES;
    }

    /** Counts an entry and ensures capacity; returns the free slot of the entry in {@link #part} of the hash. */
    final int take(final long hash)
    {
        int number = (int)(hash >>> PART_SHIFT) & partMask;
        if (isCrowded(number))
        {
            if (partMask == 0 && parts[0].length >= FLAT_WORDS)
            {
                cut();
                number = (int)(hash >>> PART_SHIFT);
            }
            else
            {
                parts[number] = moved(parts[number], new long[parts[number].length * 2]);
            }
        }
        used[number]++;
        return freePlace(parts[number], hash);
    }

    private boolean isCrowded(final int number)
    {
        final int places = parts[number].length >> wordShift;
        return used[number] >= (partMask == 0 ? places >> 3 : places >> 1);
    }

    private int freePlace(final long[] part, final long hash)
    {
        int index = start(part, hash);
        while (code(part, index) != 0)
        {
            index = next(part, index);
        }
        return index;
    }

    private long[] moved(final long[] from, final long[] to)
    {
        for (int i = 0; i < from.length; i += 1 << wordShift)
        {
            if (code(from, i) != 0)
            {
                copy(from, i, to, freePlace(to, hash(from, i)));
            }
        }
        return to;
    }

    private void cut()
    {
        final long[] whole = parts[0];
        parts = new long[PARTS][whole.length / PARTS];
        used = new int[PARTS];
        partMask = PARTS - 1;
        for (int i = 0; i < whole.length; i += 1 << wordShift)
        {
            if (code(whole, i) != 0)
            {
                final long hash = hash(whole, i);
                final int place = take(hash);
                // Get the part again: adding the entry may have replaced a crowded part by a larger one.
                copy(whole, i, part(hash), place);
            }
        }
    }

    private void copy(final long[] from, final int index, final long[] to, final int place)
    {
        for (int word = 0; word < 1 << wordShift; word++)
        {
            to[place + word] = from[index + word];
        }
    }

    /** Removes the entry of a code that the table contains. */
    final void remove(final long hash, final int code)
    {
        final long[] part = part(hash);
        int hole = start(part, hash);
        while (code(part, hole) != code)
        {
            hole = next(part, hole);
        }
        for (int i = next(part, hole); code(part, i) != 0; i = next(part, i))
        {
            final int home = start(part, hash(part, i));
            if ((i - home & part.length - 1) >= (i - hole & part.length - 1))
            {
                copy(part, i, part, hole);
                hole = i;
            }
        }
        for (int word = 0; word < 1 << wordShift; word++)
        {
            part[hole + word] = 0;
        }
        used[(int)(hash >>> PART_SHIFT) & partMask]--;
    }
}
