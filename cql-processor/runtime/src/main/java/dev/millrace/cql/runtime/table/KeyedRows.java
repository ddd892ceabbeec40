package dev.millrace.cql.runtime.table;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * The last rows of each key: per key, a circular buffer of rows of some 64-bit words. A buffer consists of segments,
 * each as long as all previous ones together, so that it grows with its rows without copying. Words that were never
 * written are zero.
 *
 * <p>Confined to one thread. Ownership: this object owns the arrays; a caller may use them until its next call.
 */
public final class KeyedRows
{
    private static final int FIRST_ROWS = 16;

    private final int rows;
    private final int rowWords;
    private final int segmentsPerKey;
    private final long[][] segments;
    /** Write position of each key: segment, its number and the word in it. */
    private final long[][] current;
    private final int[] numbers;
    private final int[] nexts;
    private long total;

    /**
     * @param keys number of keys
     * @param rows capacity per key
     */
    public KeyedRows(final int keys, final int rows, final int rowWords)
    {
        this.rows = rows;
        this.rowWords = rowWords;
        int count = 1;
        while (rowsBefore(count) < rows)
        {
            count++;
        }
        segmentsPerKey = count;
        segments = new long[keys * segmentsPerKey][];
        current = new long[keys][];
        numbers = new int[keys];
        nexts = new int[keys];
    }

    private static long rowsBefore(final int segment)
    {
        return segment == 0 ? 0 : (long)FIRST_ROWS << segment - 1;
    }

    /**
     * Advances to the position of a key's next row, which is that of its oldest row when the buffer is full.
     *
     * @return index of the row's first word in {@link #array}
     */
    public int next(final int key)
    {
        final long[] segment = current[key];
        int at = nexts[key];
        if (segment == null || at == segment.length)
        {
            turn(key, segment == null ? 0 : numbers[key] + 1);
            at = 0;
        }
        nexts[key] = at + rowWords;
        return at;
    }

    /**
     * Position of a key's next row if it is in the same array as its last one. The caller may then write the row
     * directly and call {@link #taken}.
     *
     * @return index of the row's first word in {@link #array}; -1 when the next row is in another array
     */
    public int writeIndex(final int key)
    {
        final long[] segment = current[key];
        final int at = nexts[key];
        return segment == null || at == segment.length ? -1 : at;
    }

    /**
     * Records that the caller has written a row at a position.
     *
     * @param at result of {@link #writeIndex}
     */
    public void taken(final int key, final int at)
    {
        nexts[key] = at + rowWords;
    }

    private void turn(final int key, final int after)
    {
        final int segment = after == segmentsPerKey ? 0 : after;
        final int index = key * segmentsPerKey + segment;
        if (segments[index] == null)
        {
            final long length = Math.min(rows, rowsBefore(segment + 1)) - rowsBefore(segment);
            segments[index] = new long[(int)length * rowWords];
        }
        current[key] = segments[index];
        numbers[key] = segment;
    }

    /** Writes the rows of a key, oldest first. The first word of a row is never 0. */
    public void write(final int key, final StateOutput to)
    {
        final int end = current[key] == null ? 0 : (int)rowsBefore(numbers[key]) + nexts[key] / rowWords;
        final boolean isFull = isTaken(key, end % rows);
        final int count = isFull ? rows : end;
        to.writeCount(count);
        for (int i = 0; i < count; i++)
        {
            final int row = isFull ? (end + i) % rows : i;
            to.writeLongs(segment(key, row), at(row), rowWords);
        }
    }

    /**
     * Restores the rows of a key that has none.
     *
     * @param from written by {@link #write}
     */
    public void read(final int key, final StateInput from)
    {
        for (int count = StateInput.checked(from.readSize(rowWords * Long.BYTES), rows + 1, "rows"); count > 0; count--)
        {
            final int at = next(key);
            from.readLongs(current[key], at, rowWords);
            if (current[key][at] == 0)
            {
                throw StateInput.senseless("a row of a window is empty");
            }
            total++;
        }
    }

    /** Discards the rows of a key. */
    public void clear(final int key)
    {
        for (int row = 0; row < rows && isTaken(key, row); row++)
        {
            total--;
        }
        Arrays.fill(segments, key * segmentsPerKey, (key + 1) * segmentsPerKey, null);
        current[key] = null;
        numbers[key] = 0;
        nexts[key] = 0;
    }

    private static int segmentOf(final int row)
    {
        return row < FIRST_ROWS ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(row / FIRST_ROWS);
    }

    private long[] segment(final int key, final int row)
    {
        return segments[key * segmentsPerKey + segmentOf(row)];
    }

    private int at(final int row)
    {
        return (row - (int)rowsBefore(segmentOf(row))) * rowWords;
    }

    private boolean isTaken(final int key, final int row)
    {
        final long[] segment = segment(key, row);
        return segment != null && segment[at(row)] != 0;
    }

    /** The array that contains the row at the position set by {@link #next}. */
    public long[] array(final int key)
    {
        return current[key];
    }

    /** Records that the position was free. */
    public void added()
    {
        total++;
    }

    /** Rows of all keys together. */
    public long size()
    {
        return total;
    }
}
