package dev.millrace.api.text;

/** Codes of texts of up to eight bytes: pairs of head and code. Threads: confined to one thread. */
final class HeadTable extends CodeTable
{
    /** Of texts that are looked up together: those that are still looked for, and where they were last. */
    private int[] rows = new int[0];
    private int[] places = new int[0];

    HeadTable()
    {
        super(1);
    }

    /** The code of a text, 0 when it is not here. */
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
     * The codes of many texts, 0 of those that are not here; whether all are. What the loop reads is held in locals
     * while the table is one array.
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
            int index = (int)(TextBytes.hash(text) >>> Integer.SIZE) << 1 & mask;
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
     * First what is at their homes, then what is at the next places of those that are not there, and so on. Nothing
     * branches on what was read, so that the cache misses of a step overlap.
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
            final long hash = TextBytes.hash(texts[i]);
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
                final long[] part = part(TextBytes.hash(texts[row]));
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

    /** Sets the code of a text to what is at a place, 0 when that is another one; then its row stays open. */
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

    /** Adds a text that is not here. */
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
        return TextBytes.hash(part[index]);
    }

    @Override
    int code(final long[] part, final int index)
    {
        return (int)part[index + 1];
    }
}
