package dev.millrace.cql.runtime;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * The last rows of each key: a circle of rows of some 64-bit words a key. A circle lies in segments of which each is as
 * long as all before it together, so that it grows with its rows and nothing is ever copied. Words that were never
 * written are zero.
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are this object's; a caller uses them until its next call.
 */
public final class KeyedRows
{
    private static final int FIRST_ROWS = 16;

    private final int rows;
    private final int rowWords;
    private final int segmentsPerKey;
    private final long[][] segments;
    /** Where the circle of each key stands: segment, its number and the word in it. */
    private final long[][] current;
    private final int[] numbers;
    private final int[] nexts;
    private long total;

    /**
     * Makes empty circles.
     *
     * @param keys     how many
     * @param rows     of a full circle
     * @param rowWords words of a row
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
     * Goes to the place of the next row of a key: that of its oldest row when the circle is full.
     *
     * @param key its number
     * @return where the row begins in {@link #array}
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
     * The place of the next row of a key in the array where its last one is: a caller takes it by hand, {@link #taken}.
     *
     * @param key its number
     * @return where the row would begin in {@link #array}; -1 when it is in another array
     */
    public int place(final int key)
    {
        final long[] segment = current[key];
        final int at = nexts[key];
        return segment == null || at == segment.length ? -1 : at;
    }

    /**
     * Goes to a place by hand.
     *
     * @param key its number
     * @param at  what {@link #place} said
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

    /**
     * Writes the rows of a key, the oldest first. The first word of a row is never 0.
     *
     * @param key its number
     * @param to  takes them
     */
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
     * Takes over the rows of a key that has none.
     *
     * @param key  its number
     * @param from gives what {@link #write} has given
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

    /**
     * Forgets the rows of a key.
     *
     * @param key its number
     */
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

    /**
     * The array of the row that {@link #next} went to.
     *
     * @param key its number
     * @return words
     */
    public long[] array(final int key)
    {
        return current[key];
    }

    /** Says that the place was free. */
    public void added()
    {
        total++;
    }

    /**
     * Rows of all keys.
     *
     * @return how many
     */
    public long size()
    {
        return total;
    }
}
