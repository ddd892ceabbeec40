package dev.millrace.api.text;

/**
 * Open addressing from texts to codes, with linear probing and removal that shifts entries back, so that no marks of
 * removed ones are left. What an entry is, subclasses say; it holds at least as much of a hash as says its place, so
 * that nothing but the table is read when entries move.
 *
 * <p>A small table is one array, at most one eighth full while that fits a core's second-level cache. From {@value
 * #FLAT_WORDS} words on it is cut into {@value #PARTS} parts by the top bits of the hash; each is kept at most half
 * full and grows alone, so that no insertion copies more than a part. A table never shrinks.
 *
 * <p>Threads: confined to one thread.
 */
abstract class CodeTable
{
    /** Words of a table that is still one array: 512 KiB. */
    static final int FLAT_WORDS = 1 << 16;

    private static final int INITIAL_PLACES = 256;
    private static final int PARTS = 256;
    private static final int PART_SHIFT = Long.SIZE - 8;

    private final int wordShift;
    private long[][] parts;
    private int[] used = new int[1];
    private int partMask;

    /**
     * Makes an empty one.
     *
     * @param wordShift power of two of the words of an entry
     */
    CodeTable(final int wordShift)
    {
        this.wordShift = wordShift;
        parts = new long[][]{new long[INITIAL_PLACES << wordShift]};
    }

    /** The hash of the entry at a place that is taken; its upper half is enough. */
    abstract long hash(long[] part, int index);

    /** The code at a place, 0 when it is free. */
    abstract int code(long[] part, int index);

    /** The array in which a hash has its place. */
    final long[] part(final long hash)
    {
        return parts[(int)(hash >>> PART_SHIFT) & partMask];
    }

    /** The array of a table that is still one; {@code null} once it has been cut. */
    final long[] whole()
    {
        return partMask == 0 ? parts[0] : null;
    }

    /** Where the search for a hash starts. */
    final int start(final long[] part, final long hash)
    {
        return (int)(hash >>> Integer.SIZE) << wordShift & part.length - 1;
    }

    /** Where the search goes on. */
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

    /** Counts an entry and makes room for it; gives the free place that it takes in {@link #part} of the hash. */
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
                // The part that has that place: taking one may have put a longer part where a crowded one was.
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

    /** Removes the entry of a code that is here. */
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
