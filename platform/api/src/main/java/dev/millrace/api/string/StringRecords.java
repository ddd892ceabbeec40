package dev.millrace.api.string;

import java.util.Arrays;

/**
 * The strings of codes. Each code has a record of four longs, half a cache line. The lower 30 bits of the first word
 * are the length; the owner ({@link StringTable}) defines the other bits. The other words contain up to
 * {@value #INLINE_BYTES} bytes of the string, padded with zeros, and in the last word the hash if the bytes do not need
 * it; or, for a longer string, its head, its hash and its address in the slabs.
 *
 * <p>Not thread-safe.
 */
final class StringRecords
{
    /** The bits of the first word that are the length. */
    static final int LENGTH_MASK = 0x3FFFFFFF;

    private static final int INLINE_BYTES = 24;
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;
    private static final int WORDS_SHIFT = 2;
    /** Number of records of a new table. */
    private static final int FEWEST = 16;

    private final StringSlabs slabs = new StringSlabs();
    private final byte[] scratch = new byte[INLINE_BYTES];
    private final byte[] otherScratch = new byte[INLINE_BYTES];
    private long[][] chunks = {new long[FEWEST << WORDS_SHIFT]};

    /**
     * Ensures capacity for a record; chunks are never released. The first chunk grows, so that small tables are small.
     */
    void reserve(final int code)
    {
        final int chunk = code >> CHUNK_BITS;
        if (chunk >= chunks.length)
        {
            chunks = Arrays.copyOf(chunks, chunks.length * 2);
        }
        if (chunks[chunk] == null)
        {
            chunks[chunk] = new long[CHUNK_SIZE << WORDS_SHIFT];
        }
        else if (index(code) >= chunks[chunk].length)
        {
            chunks[chunk] = Arrays.copyOf(chunks[chunk], chunks[chunk].length * 2);
        }
    }

    /** The array that holds a record, starting at {@link #index}. */
    long[] chunk(final int code)
    {
        return chunks[code >> CHUNK_BITS];
    }

    static int index(final int code)
    {
        return (code & CHUNK_SIZE - 1) << WORDS_SHIFT;
    }

    int length(final int code)
    {
        return (int)chunk(code)[index(code)] & LENGTH_MASK;
    }

    long head(final int code)
    {
        return chunk(code)[index(code) + 1];
    }

    /** Fills the record of a string that is represented by its head. */
    void put(final int code, final long head, final int length)
    {
        final long[] record = chunk(code);
        final int r = index(code);
        record[r] = length;
        record[r + 1] = head;
        record[r + 2] = 0;
        record[r + 3] = 0;
    }

    /** Fills the record of any string. */
    void put(final int code, final long hash, final byte[] bytes, final int at, final int length)
    {
        put(code, Utf8.head(bytes, at, length), length);
        final long[] record = chunk(code);
        final int r = index(code);
        if (length > INLINE_BYTES)
        {
            record[r + 2] = hash;
            record[r + 3] = slabs.add(bytes, at, length);
        }
        else if (length > Long.BYTES)
        {
            record[r + 2] = Utf8.head(bytes, at + Long.BYTES, length - Long.BYTES);
            record[r + 3] = length <= 2 * Long.BYTES ? hash :
                Utf8.head(bytes, at + 2 * Long.BYTES, length - 2 * Long.BYTES);
        }
    }

    /** Whether a record holds a string. */
    boolean is(final int code, final byte[] bytes, final int at, final int length)
    {
        final long[] record = chunk(code);
        final int r = index(code);
        if (((int)record[r] & LENGTH_MASK) != length || record[r + 1] != Utf8.head(bytes, at, length))
        {
            return false;
        }
        if (length > INLINE_BYTES)
        {
            final long address = record[r + 3];
            final int place = StringSlabs.place(address);
            return Arrays.equals(slabs.array(address), place, place + length, bytes, at, at + length);
        }
        return length <= Long.BYTES ||
            record[r + 2] == Utf8.head(bytes, at + Long.BYTES, length - Long.BYTES) &&
            (length <= 2 * Long.BYTES ||
            record[r + 3] == Utf8.head(bytes, at + 2 * Long.BYTES, length - 2 * Long.BYTES));
    }

    /** Releases the memory outside the record. */
    void remove(final int code)
    {
        final int length = length(code);
        if (length > INLINE_BYTES)
        {
            slabs.remove(chunk(code)[index(code) + 3], length);
        }
    }

    /** The hash of the string of a record. */
    long hash(final int code)
    {
        final int length = length(code);
        if (length > 2 * Long.BYTES)
        {
            return length > INLINE_BYTES ? chunk(code)[index(code) + 2] :
                Utf8.hash(unpacked(code, scratch), 0, length);
        }
        return length > Long.BYTES ? chunk(code)[index(code) + 3] :
            Utf8.isHead(head(code), length) ? Utf8.hash(head(code)) :
            Utf8.hash(unpacked(code, scratch), 0, length);
    }

    private byte[] unpacked(final int code, final byte[] to)
    {
        final long[] record = chunk(code);
        final int r = index(code);
        for (int word = 0; word < INLINE_BYTES / Long.BYTES; word++)
        {
            Utf8.putLong(to, word * Long.BYTES, record[r + 1 + word]);
        }
        return to;
    }

    /** Copies the bytes of a string; returns their number. */
    int copy(final int code, final byte[] to, final int at)
    {
        final int length = length(code);
        System.arraycopy(array(code, scratch), place(code), to, at, length);
        return length;
    }

    /** An array that holds the string: that of the slabs, or the one given. */
    private byte[] array(final int code, final byte[] inline)
    {
        return length(code) > INLINE_BYTES ? slabs.array(chunk(code)[index(code) + 3]) : unpacked(code, inline);
    }

    private int place(final int code)
    {
        return length(code) > INLINE_BYTES ? StringSlabs.place(chunk(code)[index(code) + 3]) : 0;
    }

    int compare(final int code, final int other)
    {
        final int byHead = Utf8.compareHeads(head(code), head(other));
        return byHead != 0 ? byHead : Utf8.compare(array(code, scratch), place(code), length(code),
            array(other, otherScratch), place(other), length(other));
    }

    /** Bytes of strings that do not fit their records. */
    long slabBytes()
    {
        return slabs.bytes();
    }

    /** Bytes of all records and slabs. */
    long bytes()
    {
        long words = 0;
        for (final long[] chunk : chunks)
        {
            words += chunk == null ? 0 : chunk.length;
        }
        return words * Long.BYTES + slabs.bytes();
    }
}
