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
