package dev.millrace.api.event;

import dev.millrace.api.text.TextBytes;

/**
 * The texts of a char column in a ring of rows that one thread fills and another one empties. Texts lie here by value,
 * so that no code of one thread reaches the other: short ones as their heads, longer ones in an array of their place,
 * which is used again; strings as the objects they are.
 *
 * <p>Threads: one puts, one takes; the ring says which places are whose, and publishes them. Memory: an array of up to
 * {@value #MOST_KEPT_BYTES} bytes a place stays with it; longer ones go when their text is taken.
 */
public final class TextRing
{
    private static final int MOST_KEPT_BYTES = 1 << 10;
    /** Arrays are multiples of so many bytes, so that texts of similar lengths share one. */
    private static final int STEP_BYTES = 16;
    /** Length of a text that is a string, or null. */
    private static final int STRING = -1;

    private final int mask;
    private final long[] heads;
    private final int[] lengths;
    private final byte[][] longer;
    private final String[] strings;
    /** Bytes of all arrays of longer texts that were made, and of those that are gone. */
    private long madeBytes;
    private volatile long goneBytes;

    /**
     * Makes places for texts.
     *
     * @param capacity number of places, a power of two
     */
    public TextRing(final int capacity)
    {
        mask = capacity - 1;
        heads = new long[capacity];
        lengths = new int[capacity];
        longer = new byte[capacity][];
        strings = new String[capacity];
    }

    /**
     * What a place takes that it always has.
     *
     * @return bytes
     */
    public static long placeBytes()
    {
        return Long.BYTES + 3L * Integer.BYTES;
    }

    /**
     * What arrays of longer texts take now; for the thread that puts.
     *
     * @return bytes
     */
    public long textBytes()
    {
        return madeBytes - goneBytes;
    }

    /**
     * Puts texts of a column into places behind one another, round the end of the ring.
     *
     * @param from      column
     * @param selection rows of the column; {@code null} for rows side by side
     * @param first     first of the selection, or the first row
     * @param count     how many
     * @param start     first place
     */
    public void put(final Texts from, final int[] selection, final int first, final int count, final int start)
    {
        from.put(selection, first, count, this, start);
    }

    /** Puts strings as they are. */
    void putStrings(final String[] texts, final int[] selection, final int first, final int count, final int start)
    {
        for (int i = 0; i < count; i++)
        {
            final int place = start + i & mask;
            strings[place] = texts[selection == null ? first + i : selection[first + i]];
            lengths[place] = STRING;
        }
    }

    /** Puts heads and lengths; texts that are not their heads follow by {@link #putLonger}. */
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

    /** Puts the bytes of a text that is not its head. */
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

    /** Puts a text given as bytes, which are copied unless the head is all of it. */
    void put(final int start, final byte[] text)
    {
        final int place = start & mask;
        heads[place] = TextBytes.head(text, 0, text.length);
        lengths[place] = text.length;
        if (text.length > 0 && !TextBytes.isHead(heads[place], text.length))
        {
            putLonger(place, text, 0, text.length);
        }
    }

    /**
     * Takes texts out of places behind one another and writes them to rows of a column.
     *
     * @param start first place; the ring does not end among them
     * @param count how many
     * @param to    column
     * @param row   first row; rows are written in ascending order
     */
    public void take(final int start, final int count, final Texts to, final int row)
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

    private void takeOneByOne(final int start, final int count, final Texts to, final int row)
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
