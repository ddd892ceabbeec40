package dev.millrace.api.event;

import dev.millrace.api.text.Codes;
import dev.millrace.api.text.TextBytes;
import java.util.Arrays;

/**
 * Texts of the rows of a column as bytes: the first eight of each as a word, longer ones also whole in an array.
 *
 * <p>Threads and ownership: those of the batch. Nothing is allocated before the first text is written.
 */
final class TextRows
{
    private static final byte[] NONE = new byte[0];
    private static final int LEAST_BYTES = 4096;
    /** An array that long texts have made longer than this is not kept. */
    private static final int MOST_KEPT_BYTES = 1 << 20;

    private long[] heads;
    private int[] lengths;
    private int[] places;
    /** Whether a text is not null and not its head. */
    private boolean others;
    private byte[] own = NONE;
    private int used;
    /** Where {@link #places} lie: {@link #own}, or the array of a column that is shown. */
    private byte[] array = NONE;
    private final byte[] scratch = new byte[Long.BYTES];

    private void makeArrays()
    {
        if (heads == null)
        {
            heads = new long[EventBatch.CAPACITY];
            lengths = new int[EventBatch.CAPACITY];
            places = new int[EventBatch.CAPACITY];
        }
    }

    void begin()
    {
        makeArrays();
        array = own;
        used = 0;
        others = false;
    }

    void clear()
    {
        used = 0;
        if (own.length > MOST_KEPT_BYTES)
        {
            own = NONE;
        }
        array = own;
    }

    /** Bytes of the array of longer texts. */
    int arrayBytes()
    {
        return own.length;
    }

    /** Gives the array of longer texts back; only while it is not written. */
    void trim()
    {
        own = NONE;
        array = own;
    }

    /** Whether so many more bytes of longer texts fit the array. */
    boolean hasRoom(final long more)
    {
        return used + more <= own.length;
    }

    int length(final int row)
    {
        return lengths[row];
    }

    void setNull(final int row)
    {
        if (lengths != null)
        {
            lengths[row] = 0;
            heads[row] = 0;
        }
    }

    /** Of all rows; to be filled with texts that are their heads. The array stays the same. */
    long[] heads()
    {
        makeArrays();
        return heads;
    }

    /** In bytes, of all rows; the array stays the same. */
    int[] lengths()
    {
        makeArrays();
        return lengths;
    }

    boolean hasOthers()
    {
        return others;
    }

    void setHead(final int row, final long head, final int length)
    {
        heads[row] = head;
        lengths[row] = length;
    }

    private void setFirst(final int row, final long head, final int length)
    {
        setHead(row, head, length);
        others |= length > 0 && !TextBytes.isHead(head, length);
    }

    void put(final int row, final byte[] from, final int at, final int length)
    {
        setFirst(row, TextBytes.head(from, at, length), length);
        if (length > Long.BYTES)
        {
            places[row] = add(from, at, length);
        }
    }

    void put(final int row, final TextRows from, final int fromRow)
    {
        setFirst(row, from.heads[fromRow], from.lengths[fromRow]);
        if (lengths[row] > Long.BYTES)
        {
            places[row] = add(from.array, from.places[fromRow], lengths[row]);
        }
    }

    void put(final int row, final Codes table, final int code, final int length)
    {
        setFirst(row, table.head(code), length);
        if (length > Long.BYTES)
        {
            places[row] = reserve(length);
            table.copy(code, own, places[row]);
        }
    }

    /** Puts texts into places of a ring behind one another. */
    void put(final int[] selection, final int first, final int count, final TextRing ring, final int start)
    {
        ring.putHeads(heads, lengths, selection, first, count, start);
        for (int i = 0; others && i < count; i++)
        {
            final int row = selection == null ? first + i : selection[first + i];
            final int length = lengths[row];
            if (length > 0 && !TextBytes.isHead(heads[row], length))
            {
                ring.putLonger(start + i, array(row), place(row), length);
            }
        }
    }

    /** Takes texts that are null or their heads; false at the first one that is not: nothing was written. */
    boolean takeHeads(final int row, final long[] from, final int[] bytes, final int place, final int count)
    {
        boolean areHeads = true;
        for (int i = 0; i < count; i++)
        {
            final int length = bytes[place + i];
            areHeads &= length == 0 || TextBytes.isHead(from[place + i], length);
        }
        if (areHeads)
        {
            System.arraycopy(from, place, heads, row, count);
            System.arraycopy(bytes, place, lengths, row, count);
        }
        return areHeads;
    }

    private int add(final byte[] from, final int at, final int length)
    {
        final int place = reserve(length);
        System.arraycopy(from, at, own, place, length);
        return place;
    }

    private int reserve(final int length)
    {
        if (array != own)
        {
            throw new IllegalStateException("a column that shows another one cannot be written, please report this");
        }
        if (used + length > own.length)
        {
            own = Arrays.copyOf(own, Math.max(Math.max(LEAST_BYTES, used + length), own.length * 2));
            array = own;
        }
        used += length;
        return used - length;
    }

    /** Takes over heads, lengths and places of rows whose longer texts stay where they are. */
    void show(final TextRows from, final int[] selection, final int count)
    {
        array = from.array;
        others = from.others;
        if (selection == null)
        {
            System.arraycopy(from.heads, 0, heads, 0, count);
            System.arraycopy(from.lengths, 0, lengths, 0, count);
            System.arraycopy(from.places, 0, places, 0, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            final int row = selection[i];
            heads[i] = from.heads[row];
            lengths[i] = from.lengths[row];
            places[i] = from.places[row];
        }
    }

    int copy(final int row, final byte[] to, final int at)
    {
        final int length = lengths[row];
        System.arraycopy(array(row), place(row), to, at, length);
        return length;
    }

    /** An array with the text of a row from {@link #place} on. */
    private byte[] array(final int row)
    {
        if (lengths[row] > Long.BYTES)
        {
            return array;
        }
        TextBytes.putHead(scratch, heads[row]);
        return scratch;
    }

    boolean isEqual(final int row, final TextRows other, final int otherRow)
    {
        final int length = lengths[row];
        if (length != other.lengths[otherRow] || heads[row] != other.heads[otherRow])
        {
            return false;
        }
        final int at = place(row);
        final int otherAt = other.place(otherRow);
        return length <= Long.BYTES ||
            Arrays.equals(array, at, at + length, other.array, otherAt, otherAt + length);
    }

    private int place(final int row)
    {
        return lengths[row] > Long.BYTES ? places[row] : 0;
    }

    long hash(final int row)
    {
        return TextBytes.isHead(heads[row], lengths[row]) ? TextBytes.hash(heads[row]) :
            TextBytes.hash(array(row), place(row), lengths[row]);
    }

    /** The code of a text in a table, which takes it in. */
    int code(final int row, final Codes table)
    {
        final int length = lengths[row];
        return length == 0 ? Codes.NULL : TextBytes.isHead(heads[row], length) ? table.code(heads[row], length) :
            table.code(hash(row), array(row), place(row), length);
    }

    /** The code of a text that is only carried; a short one is looked up, which costs less than a record. */
    int apart(final int row, final Codes table)
    {
        final int length = lengths[row];
        return length == 0 ? Codes.NULL : TextBytes.isHead(heads[row], length) ? table.code(heads[row], length) :
            table.apart(array(row), place(row), length);
    }

    /** The code of a text in a table that does not take it in. */
    int find(final int row, final Codes table)
    {
        return lengths[row] == 0 ? Codes.NULL : table.find(hash(row), array(row), place(row), lengths[row]);
    }

    String string(final int row, final StringCache cache)
    {
        return lengths[row] == 0 ? null :
            cache.string(hash(row), heads[row], array(row), place(row), lengths[row]);
    }
}
