package dev.millrace.cql.processor;

import java.util.ArrayList;
import java.util.List;

/**
 * How many rows have passed the indexes that a pipeline takes its rows from: those it got and those it had no use for.
 * Safe for all threads.
 */
final class PassedRows
{
    private final List<Index> indexes = new ArrayList<>();
    private boolean isUsed;
    private long ended;

    /** An index and how many rows had passed it before. */
    private record Index(Counter rows, long before)
    {
        long passed()
        {
            return rows.get() - before;
        }
    }

    /**
     * Counts the rows of an index from now on.
     *
     * @param rows of the index
     */
    synchronized void begin(final Counter rows)
    {
        isUsed = true;
        indexes.add(new Index(rows, rows.get()));
    }

    /**
     * Counts the rows of an index no longer.
     *
     * @param rows of the index
     */
    synchronized void end(final Counter rows)
    {
        indexes.stream().filter(index -> index.rows() == rows).forEach(index -> ended += index.passed());
        indexes.removeIf(index -> index.rows() == rows);
    }

    /** Whether there has been an index. */
    synchronized boolean isUsed()
    {
        return isUsed;
    }

    /** Rows so far. */
    synchronized long total()
    {
        return ended + indexes.stream().mapToLong(Index::passed).sum();
    }
}
