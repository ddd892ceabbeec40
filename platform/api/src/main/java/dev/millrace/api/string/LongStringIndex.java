package dev.millrace.api.string;

/**
 * Codes of longer strings: the upper half of the hash and the code in one word. The string itself is in the record of
 * the code. Not thread-safe.
 */
final class LongStringIndex extends StringHashIndex
{
    private final StringRecords records;

    LongStringIndex(final StringRecords records)
    {
        super(0);
        this.records = records;
    }

    /** The code of a string, 0 if the table does not contain it. */
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

    /**
     * Reads the slots where the search for some strings starts, and the records of those that are probably found.
     * Nothing branches on the values read, so the cache misses overlap, and the look-ups that follow have none.
     *
     * @param hashes of the strings
     * @param count  how many
     * @return a value that depends on everything read, so that reading is not optimized away
     */
    long touch(final long[] hashes, final int count)
    {
        long all = 0;
        for (int i = 0; i < count; i++)
        {
            final long[] part = part(hashes[i]);
            final long entry = part[start(part, hashes[i])];
            final long differs = (entry ^ hashes[i]) >>> Integer.SIZE;
            // All ones where the tags are equal.
            final int code = (int)(entry & differs - 1 >> Long.SIZE - 1);
            all += records.chunk(code)[StringRecords.index(code)];
        }
        return all;
    }

    /** Adds a string that the table does not contain. */
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
