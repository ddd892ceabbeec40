package dev.millrace.api.event;

import dev.millrace.api.string.Utf8;

/**
 * The strings of a char column in a ring of rows that one thread fills and another one empties. Strings are stored by
 * value, so codes of one thread never reach the other: short ones as their heads, longer ones in a reusable array per
 * slot, string objects as references.
 *
 * <p>Threads: a single producer and a single consumer; the ring decides which slots belong to whom, and publishes them.
 * Memory: an array of up to {@value #MOST_KEPT_BYTES} bytes per slot is kept; longer ones are released when their
 * string is taken.
 */
public final class CharColumnRing
{
    private static final int MOST_KEPT_BYTES = 1 << 10;
    /** Array sizes are multiples of this, so that strings of similar lengths share an array. */
    private static final int STEP_BYTES = 16;
    /** Length that marks a string object, or null. */
    private static final int STRING = -1;

    private final int mask;
    private final long[] heads;
    private final int[] lengths;
    private final byte[][] longer;
    private final String[] strings;
    /** Bytes of all arrays for longer strings that were created, and of those that were released. */
    private long madeBytes;
    private volatile long goneBytes;

    /**
     * Creates a ring.
     *
     * @param capacity number of slots, a power of two
     */
    public CharColumnRing(final int capacity)
    {
        mask = capacity - 1;
        heads = new long[capacity];
        lengths = new int[capacity];
        longer = new byte[capacity][];
        strings = new String[capacity];
    }

    /**
     * Returns the fixed memory of a slot.
     *
     * @return bytes
     */
    public static long placeBytes()
    {
        return Long.BYTES + 3L * Integer.BYTES;
    }

    /**
     * Returns the memory of the arrays for longer strings. Confined to the producer.
     *
     * @return bytes
     */
    public long textBytes()
    {
        return madeBytes - goneBytes;
    }

    /**
     * Puts strings of a column into consecutive slots, wrapping at the end of the ring.
     *
     * @param from      column
     * @param selection rows of the column; {@code null} for consecutive rows
     * @param first     first index in the selection, or the first row
     * @param count     how many
     * @param start     first slot
     */
    public void put(final CharColumn from, final int[] selection, final int first, final int count, final int start)
    {
        from.put(selection, first, count, this, start);
    }

    /** Puts string objects as references. */
    void putStrings(final String[] texts, final int[] selection, final int first, final int count, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            final int place = start + i & mask;
            strings[place] = texts[selection == null ? first + i : selection[first + i]];
            lengths[place] = STRING;
        }
    }

    /** Puts heads and lengths; strings longer than their heads follow by {@link #putLonger}. */
    void putHeads(final long[] texts, final int[] bytes, final int[] selection, final int first, final int count,
        final int start)
    {
        for (int i = 0; i < count; i++)
        {
            final int place = start + i & mask;
            final int row = selection == null ? first + i : selection[first + i];
            heads[place] = texts[row];
            lengths[place] = bytes[row];
        }
    }

    /** Puts the bytes of a string that is longer than its head. */
    void putLonger(final int start, final byte[] from, final int at, final int length)
    {
        final int place = start & mask;
        byte[] to = longer[place];
        if (to == null || to.length < length)
        {
            madeBytes -= to == null ? 0 : to.length;
            to = new byte[(length + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES];
            longer[place] = to;
            madeBytes += to.length;
        }
        System.arraycopy(from, at, to, 0, length);
    }

    /** Puts a string given as bytes, which are copied unless the head represents the whole string. */
    void put(final int start, final byte[] text)
    {
        final int place = start & mask;
        heads[place] = Utf8.head(text, 0, text.length);
        lengths[place] = text.length;
        if (text.length > 0 && !Utf8.isHead(heads[place], text.length))
        {
            putLonger(place, text, 0, text.length);
        }
    }

    /**
     * Takes strings from consecutive slots and writes them to rows of a column.
     *
     * @param start first slot; the range must not wrap at the end of the ring
     * @param count how many
     * @param to    column
     * @param row   first row; rows are written in ascending order
     */
    public void take(final int start, final int count, final CharColumn to, final int row)
    {
        final int end = start + count;
        for (int place = start; place < end;)
        {
            final int kind = Math.min(0, lengths[place]);
            int next = place + 1;
            while (next < end && Math.min(0, lengths[next]) == kind)
            {
                next++;
            }
            final int at = row + place - start;
            if (kind == STRING)
            {
                to.takeStrings(at, strings, place, next - place);
            }
            else if (!to.takeHeads(at, heads, lengths, place, next - place))
            {
                takeOneByOne(place, next - place, to, at);
            }
            place = next;
        }
    }

    private void takeOneByOne(final int start, final int count, final CharColumn to, final int row)
    {
        for (int i = 0; i < count; i++)
        {
            final int place = start + i;
            to.take(row + i, heads[place], longer[place], lengths[place]);
            if (lengths[place] > MOST_KEPT_BYTES)
            {
                goneBytes += longer[place].length;
                longer[place] = null;
            }
        }
    }
}
