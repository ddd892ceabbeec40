package dev.millrace.api.string;

/** Codes of strings of up to eight bytes: pairs of head and code. Not thread-safe. */
final class ShortStringIndex extends StringHashIndex
{
    /** Rows of a batch look-up that are still open, and the last slot tried for each. */
    private int[] rows = new int[0];
    private int[] places = new int[0];

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
     * Reads the first slot of all strings, then the next slot of all strings not found yet, and so on. Nothing branches
     * on the values read, so the cache misses of a step overlap.
     */
    private boolean findInParts(final long[] texts, final int count, final int[] codes)
    {
        if (rows.length < count)
        {
            rows = new int[count];
            places = new int[count];
        }
        int open = 0;
        for (int i = 0; i < count; i++)
        {
            final long hash = Utf8.hash(texts[i]);
            final long[] part = part(hash);
            open = look(part, start(part, hash), texts[i], i, codes, open);
        }
        while (open > 0)
        {
            final int before = open;
            open = 0;
            for (int k = 0; k < before; k++)
            {
                final int row = rows[k];
                final long[] part = part(Utf8.hash(texts[row]));
                open = look(part, next(part, places[k]), texts[row], row, codes, open);
            }
        }
        boolean all = true;
        for (int i = 0; i < count; i++)
        {
            all &= codes[i] != 0 | texts[i] == 0;
        }
        return all;
    }

    /**
     * Sets the code of a string to the code in a slot, or to 0 when the slot holds another string; then its row stays
     * open.
     */
    private int look(
        final long[] part, final int index, final long text, final int row, final int[] codes, final int open)
    {
        final long code = part[index + 1];
        final long difference = part[index] ^ text;
        // All ones where they differ.
        final long differs = (difference | -difference) >> Long.SIZE - 1;
        codes[row] = (int)(code & ~differs);
        rows[open] = row;
        places[open] = index;
        return open + (int)((differs & -code) >>> Long.SIZE - 1);
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
