package dev.millrace.api.text;

/** Codes of texts of up to eight bytes: pairs of head and code. Threads: confined to one thread. */
final class HeadTable extends CodeTable
{
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
        boolean all = true;
        if (whole == null)
        {
            for (int i = 0; i < count; i++)
            {
                codes[i] = texts[i] == 0 ? 0 : find(TextBytes.hash(texts[i]), texts[i]);
                all &= codes[i] != 0 | texts[i] == 0;
            }
            return all;
        }
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
