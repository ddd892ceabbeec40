package dev.millrace.cql.runtime;

/**
 * The last rows of each key: a circle of rows of some 64-bit words a key. A circle lies in segments of which each is as
 * long as all before it together, so that it grows with its rows and nothing is ever copied.
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are this object's; a caller uses them until its next call.
 */
public final class KeyedRows
{
    private static final int FIRST_SHIFT = 4;
    private static final int FIRST_ROWS = 1 << FIRST_SHIFT;

    private final int rows;
    private final int rowWords;
    private final int segmentsPerKey;
    private final long[][] segments;
    private final int[] sizes;
    private final int[] nexts;
    private long total;
    private long[] array;
    private int at;

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
        segmentsPerKey = segmentOf(rows - 1) + 1;
        segments = new long[keys * segmentsPerKey][];
        sizes = new int[keys];
        nexts = new int[keys];
    }

    private static int segmentOf(final int row)
    {
        return Math.max(0, Integer.SIZE - FIRST_SHIFT - Integer.numberOfLeadingZeros(row));
    }

    /**
     * Goes to the place of the next row of a key: that of its oldest row when the circle is full.
     *
     * @param key its number
     * @return whether there is an oldest row, which is still there
     */
    public boolean next(final int key)
    {
        final int row = nexts[key];
        nexts[key] = row + 1 == rows ? 0 : row + 1;
        final int segment = segmentOf(row);
        final int from = segment == 0 ? 0 : FIRST_ROWS << segment - 1;
        final int index = key * segmentsPerKey + segment;
        long[] found = segments[index];
        if (found == null)
        {
            found = new long[(Math.min(rows, FIRST_ROWS << segment) - from) * rowWords];
            segments[index] = found;
        }
        array = found;
        at = (row - from) * rowWords;
        if (sizes[key] == rows)
        {
            return true;
        }
        sizes[key]++;
        total++;
        return false;
    }

    /**
     * The array of the row that {@link #next} went to.
     *
     * @return words, from {@link #at()} on
     */
    public long[] array()
    {
        return array;
    }

    /**
     * Where that row begins.
     *
     * @return place of its first word
     */
    public int at()
    {
        return at;
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
