package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * For each statement, the rows of one batch that it receives: a bit per row. Not thread-safe.
 *
 * <pre>
 *   touched   0 1 0 0 1 ...        a bit per statement
 *   rows        │     └─► 0010..0  four words per statement, a bit per row
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

    /** Adds a row to the set of a statement. */
    void add(final int statement, final int row)
    {
        touched[statement >> 6] |= 1L << statement;
        rows[statement * WORDS + (row >> 6)] |= 1L << row;
    }

    /** Marks that a statement receives the batch, even without rows. */
    void touch(final int statement)
    {
        touched[statement >> 6] |= 1L << statement;
    }

    /** The first marked statement from a number on; -1 if none exists. */
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

    /** Removes the rows of a statement, in order; returns their number. */
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

    /** Unmarks all statements; their rows must have been removed. */
    void clear()
    {
        Arrays.fill(touched, 0);
    }

    /** Unmarks all statements and discards their rows. */
    void reset()
    {
        Arrays.fill(rows, 0);
        clear();
    }
}
