package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * For each statement the rows of one batch that it gets: a bit a row. Threads: one at a time.
 *
 * <pre>
 *   touched   0 1 0 0 1 ...        a bit a statement
 *   rows        │     └─► 0010..0  four words a statement, a bit a row
 *               └───────► 1000..1
 * </pre>
 */
final class RowSets
{
    private static final int WORDS = EventBatch.CAPACITY / Long.SIZE;

    private final long[] touched;
    private final long[] rows;

    RowSets(final int statements)
    {
        touched = new long[statements + Long.SIZE - 1 >> 6];
        rows = new long[statements * WORDS];
    }

    /** A statement gets a row. */
    void add(final int statement, final int row)
    {
        touched[statement >> 6] |= 1L << statement;
        rows[statement * WORDS + (row >> 6)] |= 1L << row;
    }

    /** A statement gets the batch, whatever is in it. */
    void touch(final int statement)
    {
        touched[statement >> 6] |= 1L << statement;
    }

    /** The first statement from a number on that gets something; -1 when there is none. */
    int next(final int from)
    {
        int word = from >> 6;
        if (word >= touched.length)
        {
            return -1;
        }
        long bits = touched[word] >>> from << from;
        while (bits == 0)
        {
            if (++word == touched.length)
            {
                return -1;
            }
            bits = touched[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** Takes the rows of a statement out, in order; how many there are. */
    int take(final int statement, final int[] into)
    {
        int count = 0;
        for (int word = 0; word < WORDS; word++)
        {
            final int at = statement * WORDS + word;
            for (long bits = rows[at]; bits != 0; bits &= bits - 1)
            {
                into[count++] = (word << 6) + Long.numberOfTrailingZeros(bits);
            }
            rows[at] = 0;
        }
        return count;
    }

    /** No statement gets anything; all rows have been taken out. */
    void clear()
    {
        Arrays.fill(touched, 0);
    }

    /** No statement gets anything, whatever has been taken out. */
    void reset()
    {
        Arrays.fill(rows, 0);
        clear();
    }
}
