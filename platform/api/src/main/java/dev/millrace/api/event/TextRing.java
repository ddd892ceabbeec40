package dev.millrace.api.event;

import dev.millrace.api.text.TextBytes;

/**
 * The texts of a char column in a ring of rows that one thread fills and another one empties. Texts lie here by value,
 * so that no code of one thread reaches the other: short ones as their heads, longer ones in an array of their place,
 * which is used again; strings as the objects they are. Texts of a column that was written as ids of its dictionary,
 * which all threads share, lie here as these.
 *
 * <p>Threads: one puts, one takes; the ring says which places are whose, and publishes them. Memory: an array of up to
 * {@value #MOST_KEPT_BYTES} bytes a place stays with it; longer ones go when their text is taken.
 */
public final class TextRing
{
    private static final int MOST_KEPT_BYTES = 1 << 10;
    /** Arrays are multiples of so many bytes, so that texts of similar lengths share one. */
    private static final int STEP_BYTES = 16;
    /** Length of a text that is a string. */
    private static final int STRING = -1;
    /** Length of a text that is an id, in the place of its head. */
    private static final int ID = -2;

    private final int mask;
    private final long[] heads;
    private final int[] lengths;
    private final byte[][] longer;
    private final String[] strings;
    /** Of all ids here; the first one that came. */
    private Dictionary dictionary;

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
        for (int i = 0; i < count; i++)
        {
            from.put(selection == null ? first + i : selection[first + i], this, start + i & mask);
        }
    }

    /** Puts an id; false when it is one of another dictionary than those before. */
    boolean put(final int place, final int id, final Dictionary of)
    {
        dictionary = dictionary == null ? of : dictionary;
        if (of != dictionary)
        {
            return false;
        }
        heads[place] = id;
        lengths[place] = ID;
        return true;
    }

    void put(final int place, final String text)
    {
        lengths[place] = text == null ? 0 : STRING;
        strings[place] = text;
    }

    /** Puts a text given as bytes, which are copied unless the head is all of it. */
    void put(final int place, final long head, final byte[] from, final int at, final int length)
    {
        heads[place] = head;
        lengths[place] = length;
        if (length > 0 && !TextBytes.isHead(head, length))
        {
            byte[] to = longer[place];
            if (to == null || to.length < length)
            {
                to = new byte[(length + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES];
                longer[place] = to;
            }
            System.arraycopy(from, at, to, 0, length);
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
        for (int i = 0; i < count; i++)
        {
            final int place = start + i;
            if (lengths[place] == STRING)
            {
                to.take(row + i, strings[place]);
                strings[place] = null;
                continue;
            }
            if (lengths[place] == ID)
            {
                to.take(row + i, (int)heads[place], dictionary);
                continue;
            }
            to.take(row + i, heads[place], longer[place], lengths[place]);
            if (lengths[place] > MOST_KEPT_BYTES)
            {
                longer[place] = null;
            }
        }
    }
}
