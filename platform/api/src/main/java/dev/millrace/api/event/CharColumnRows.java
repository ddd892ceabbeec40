package dev.millrace.api.event;

import dev.millrace.api.string.StringTable;
import dev.millrace.api.string.Utf8;
import java.util.Arrays;

/**
 * Strings of the rows of a column as bytes: the first eight bytes of each as a word, longer ones also completely in an
 * array.
 *
 * <p>Threads and ownership: those of the batch. Nothing is allocated before the first string is written.
 */
final class CharColumnRows
{
    private static final byte[] NONE = new byte[0];
    private static final int LEAST_BYTES = 4096;
    /** An array larger than this is not kept. */
    private static final int MOST_KEPT_BYTES = 1 << 20;
    /** Number of strings that are looked up together. */
    private static final int AHEAD = 64;

    private long[] heads;
    private int[] lengths;
    private int[] offsets;
    /** Whether a row is neither null nor represented by its head. */
    private boolean others;
    private byte[] own = NONE;
    private int used;
    /** The array that {@link #offsets} refer to: {@link #own}, or the array of another column. */
    private byte[] array = NONE;
    private final byte[] scratch = new byte[Long.BYTES];
    /** Hashes of the strings that are looked up; {@code null} before the first look-up. */
    private long[] hashes;

    private void makeArrays()
    {
        if (heads == null)
        {
            heads = new long[EventBatch.CAPACITY];
            lengths = new int[EventBatch.CAPACITY];
            offsets = new int[EventBatch.CAPACITY];
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

    /** Bytes of the array of longer strings. */
    int arrayBytes()
    {
        return own.length;
    }

    /** Releases the array of longer strings; only while the column is not written. */
    void trim()
    {
        own = NONE;
        array = own;
    }

    /** Whether the array has room for more bytes of longer strings. */
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

    /** Heads of all rows; to be filled with strings that their heads represent. The array never changes. */
    long[] heads()
    {
        makeArrays();
        return heads;
    }

    /** Lengths of all rows in bytes; the array never changes. */
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
        others |= length > 0 && !Utf8.isHead(head, length);
    }

    void put(final int row, final byte[] from, final int at, final int length)
    {
        setFirst(row, Utf8.head(from, at, length), length);
        if (length > Long.BYTES)
        {
            offsets[row] = add(from, at, length);
        }
    }

    void put(final int row, final CharColumnRows from, final int fromRow)
    {
        setFirst(row, from.heads[fromRow], from.lengths[fromRow]);
        if (lengths[row] > Long.BYTES)
        {
            offsets[row] = add(from.array, from.offsets[fromRow], lengths[row]);
        }
    }

    void put(final int row, final StringTable table, final int code, final int length)
    {
        setFirst(row, table.head(code), length);
        if (length > Long.BYTES)
        {
            offsets[row] = reserve(length);
            table.copy(code, own, offsets[row]);
        }
    }

    /** Puts strings into consecutive slots of a ring. */
    void put(final int[] selection, final int first, final int count, final CharColumnRing ring, final int start)
    {
        ring.putHeads(heads, lengths, selection, first, count, start);
        for (int i = 0; others && i < count; i++)
        {
            final int row = selection == null ? first + i : selection[first + i];
            final int length = lengths[row];
            if (isOther(row))
            {
                ring.putLonger(start + i, array(row), offset(row), length);
            }
        }
    }

    /**
     * Accepts strings that are null or represented by their heads; false, without writing anything, when one is not.
     */
    boolean takeHeads(final int row, final long[] from, final int[] bytes, final int offset, final int count)
    {
        boolean areHeads = true;
        for (int i = 0; i < count; i++)
        {
            final int length = bytes[offset + i];
            areHeads &= length == 0 || Utf8.isHead(from[offset + i], length);
        }
        if (areHeads)
        {
            System.arraycopy(from, offset, heads, row, count);
            System.arraycopy(bytes, offset, lengths, row, count);
        }
        return areHeads;
    }

    private int add(final byte[] from, final int at, final int length)
    {
        final int offset = reserve(length);
        System.arraycopy(from, at, own, offset, length);
        return offset;
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

    /** Copies heads, lengths and offsets of rows; longer strings are shared with the other column. */
    void show(final CharColumnRows from, final int[] selection, final int count)
    {
        array = from.array;
        others = from.others;
        if (selection == null)
        {
            System.arraycopy(from.heads, 0, heads, 0, count);
            System.arraycopy(from.lengths, 0, lengths, 0, count);
            System.arraycopy(from.offsets, 0, offsets, 0, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            final int row = selection[i];
            heads[i] = from.heads[row];
            lengths[i] = from.lengths[row];
            offsets[i] = from.offsets[row];
        }
    }

    int copy(final int row, final byte[] to, final int at)
    {
        final int length = lengths[row];
        System.arraycopy(array(row), offset(row), to, at, length);
        return length;
    }

    /** The array that holds the string of a row at {@link #offset}. */
    private byte[] array(final int row)
    {
        if (lengths[row] > Long.BYTES)
        {
            return array;
        }
        Utf8.putHead(scratch, heads[row]);
        return scratch;
    }

    boolean isEqual(final int row, final CharColumnRows other, final int otherRow)
    {
        final int length = lengths[row];
        if (length != other.lengths[otherRow] || heads[row] != other.heads[otherRow])
        {
            return false;
        }
        final int at = offset(row);
        final int otherAt = other.offset(otherRow);
        return length <= Long.BYTES ||
            Arrays.equals(array, at, at + length, other.array, otherAt, otherAt + length);
    }

    private int offset(final int row)
    {
        return lengths[row] > Long.BYTES ? offsets[row] : 0;
    }

    long hash(final int row)
    {
        return Utf8.isHead(heads[row], lengths[row]) ? Utf8.hash(heads[row]) :
            Utf8.hash(array(row), offset(row), lengths[row]);
    }

    int stableHash(final int row)
    {
        return Utf8.stableHash(array(row), offset(row), lengths[row]);
    }

    /** The code of a string in a table, which adds new strings. */
    int code(final int row, final StringTable table)
    {
        final int length = lengths[row];
        return length == 0 ? StringTable.NULL : Utf8.isHead(heads[row], length) ? table.code(heads[row], length) :
            table.code(hash(row), array(row), offset(row), length);
    }

    /**
     * Gets the codes of strings in a table, which adds new strings: hashes first, then the slots, then the codes, so
     * that cache misses overlap.
     *
     * @param selection rows; {@code null} for those from 0
     * @param to        receives the code of each row at its index, {@link StringTable#FULL} where the table has no room
     * @return false when a row has no code
     */
    boolean codes(final StringTable table, final int[] selection, final int count, final int[] to)
    {
        boolean all = true;
        hashes = hashes == null ? new long[AHEAD] : hashes;
        for (int from = 0; from < count; from += AHEAD)
        {
            final int size = Math.min(AHEAD, count - from);
            for (int i = 0; i < size; i++)
            {
                final int row = selection == null ? from + i : selection[from + i];
                hashes[i] = isOther(row) ? Utf8.hash(array(row), offset(row), lengths[row]) : 0;
            }
            table.touch(hashes, size);
            for (int i = 0; i < size; i++)
            {
                final int row = selection == null ? from + i : selection[from + i];
                to[row] = isOther(row) ? table.code(hashes[i], array(row), offset(row), lengths[row]) :
                    code(row, table);
                all &= to[row] != StringTable.FULL;
            }
        }
        return all;
    }

    /** Whether a string is neither null nor represented by its head. */
    private boolean isOther(final int row)
    {
        return lengths[row] > 0 && !Utf8.isHead(heads[row], lengths[row]);
    }

    /**
     * The code of a text that is only carried. A short one is looked up, which costs less than a record, unless the
     * table is full.
     */
    int apart(final int row, final StringTable table)
    {
        final int length = lengths[row];
        if (length == 0)
        {
            return StringTable.NULL;
        }
        final int code = Utf8.isHead(heads[row], length) ? table.code(heads[row], length) : StringTable.FULL;
        return code == StringTable.FULL ? table.apart(array(row), offset(row), length) : code;
    }

    /** The code of a text in a table that does not take it in. */
    int find(final int row, final StringTable table)
    {
        return lengths[row] == 0 ? StringTable.NULL : table.find(hash(row), array(row), offset(row), lengths[row]);
    }

    String string(final int row, final StringCache cache)
    {
        return lengths[row] == 0 ? null :
            cache.string(hash(row), heads[row], array(row), offset(row), lengths[row]);
    }
}
