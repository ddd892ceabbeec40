package dev.millrace.api.text;

/**
 * Codes of longer texts: the upper half of the hash and the code in one word. The text itself lies in the record of
 * the code. Threads: confined to one thread.
 */
final class TagTable extends CodeTable
{
    private final TextRecords records;

    TagTable(final TextRecords records)
    {
        super(0);
        this.records = records;
    }

    /** The code of a text, 0 when it is not here. */
    int find(final long hash, final byte[] bytes, final int at, final int length)
    {
        final long[] part = part(hash);
        int index = start(part, hash);
        while (true)
        {
            final long entry = part[index];
            if (entry == 0 || (entry ^ hash) >>> Integer.SIZE == 0 && records.is((int)entry, bytes, at, length))
            {
                return (int)entry;
            }
            index = next(part, index);
        }
    }

    /** Adds a text that is not here. */
    void insert(final long hash, final int code)
    {
        final int index = take(hash);
        part(hash)[index] = hash >>> Integer.SIZE << Integer.SIZE | code;
    }

    @Override
    long hash(final long[] part, final int index)
    {
        return part[index];
    }

    @Override
    int code(final long[] part, final int index)
    {
        return (int)part[index];
    }
}
