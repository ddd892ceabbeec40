package dev.millrace.api.string;

/** Codes of strings of up to eight bytes: pairs of head and code. Not thread-safe. */
final class ShortStringIndex extends StringHashIndex
{
    /** By row of a batch look-up: its first slot and the string in it. */
    private int[] slots = new int[0];
    private long[] heads = new long[0];
    /** Rows whose first slot has another string. */
    private int[] open = new int[0];

    ShortStringIndex()
    {
        super(1);
    }

    /** The code of a string, 0 if the table does not contain it. */
    int find(final long hash, final long head)
    {
        final long[] part = part(hash);
        int index = start(part, hash);
        while (true)
        {
            final int code = (int)part[index + 1];
            if (code == 0 || part[index] == head)
            {
                return code;
            }
            index = next(part, index);
        }
    }

    /**
     * Gets the codes of many strings, 0 for unknown ones; returns whether all were found. While the table is one array,
     * everything that the loop reads is in local variables.
     */
    boolean find(final long[] texts, final int count, final int[] codes)
    {
        final long[] whole = whole();
        return whole == null ? findInParts(texts, count, codes) : findInWhole(whole, texts, count, codes);
    }

    private static boolean findInWhole(final long[] whole, final long[] texts, final int count, final int[] codes)
    {
        boolean all = true;
        final int mask = whole.length - 1;
        for (int i = 0; i < count; i++)
        {
            final long text = texts[i];
            int index = (int)(Utf8.hash(text) >>> Integer.SIZE) << 1 & mask;
            while (whole[index] != text && whole[index + 1 & mask] != 0)
            {
                index = index + 2 & mask;
            }
            final int code = text == 0 ? 0 : (int)whole[index + 1 & mask];
            codes[i] = code;
            all &= code != 0 | text == 0;
        }
        return all;
    }

    /**
     * Reads the first slot of all strings, then compares them all, and searches on for the few that are in a later
     * slot. Nothing in the first loop depends on the values read, so its cache misses overlap.
     */
    private boolean findInParts(final long[] texts, final int count, final int[] codes)
    {
        if (heads.length < count)
        {
            heads = new long[count];
            slots = new int[count];
            open = new int[count];
        }
        for (int i = 0; i < count; i++)
        {
            final long hash = Utf8.hash(texts[i]);
            final long[] part = part(hash);
            final int index = start(part, hash);
            slots[i] = index;
            heads[i] = part[index];
            codes[i] = (int)part[index + 1];
        }
        final int left = compareAll(texts, count, codes);
        for (int k = 0; k < left; k++)
        {
            final int row = open[k];
            final long[] part = part(Utf8.hash(texts[row]));
            int index = next(part, slots[row]);
            while (part[index] != texts[row] && part[index + 1] != 0)
            {
                index = next(part, index);
            }
            codes[row] = (int)part[index + 1];
        }
        boolean all = true;
        for (int i = 0; i < count; i++)
        {
            all &= codes[i] != 0 | texts[i] == 0;
        }
        return all;
    }

    /** Removes the codes of other strings; their rows stay open. Returns the number of open rows. */
    private int compareAll(final long[] texts, final int count, final int[] codes)
    {
        int left = 0;
        for (int i = 0; i < count; i++)
        {
            final long difference = heads[i] ^ texts[i];
            // All ones where they differ.
            final int differs = (int)((difference | -difference) >> Long.SIZE - 1);
            open[left] = i;
            left += differs & -codes[i] >>> Integer.SIZE - 1;
            codes[i] &= ~differs;
        }
        return left;
    }

    /** Adds a string that the table does not contain. */
    void insert(final long hash, final long head, final int code)
    {
        final int index = take(hash);
        final long[] part = part(hash);
        part[index] = head;
        part[index + 1] = code;
    }

    @Override
    long hash(final long[] part, final int index)
    {
        return Utf8.hash(part[index]);
    }

    @Override
    int code(final long[] part, final int index)
    {
        return (int)part[index + 1];
    }
}
