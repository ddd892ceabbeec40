package dev.millrace.cql.processor.worker;

import dev.millrace.cql.processor.relation.Counter;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the rows that have passed the indexes in front of a pipeline: those that it received and those that an index
 * skipped. Thread-safe.
 */
final class IndexedRowCounts
{
    private final List<Index> indexes = new ArrayList<>();
    private boolean isUsed;
    private long ended;

    /** An index and its row count when this pipeline was added. */
    private record Index(Counter rows, long before)
    {
        long passed()
        {
            return rows.get() - before;
        }
    }

    /**
     * Starts to count the rows of an index.
     *
     * @param rows row counter of the index
     */
    synchronized void begin(final Counter rows)
    {
        isUsed = true;
        indexes.add(new Index(rows, rows.get()));
    }

    /**
     * Stops counting the rows of an index.
     *
     * @param rows row counter of the index
     */
    synchronized void end(final Counter rows)
    {
        indexes.stream().filter(index -> index.rows() == rows).forEach(index -> ended += index.passed());
        indexes.removeIf(index -> index.rows() == rows);
    }

    /** Whether the pipeline has ever had an index. */
    synchronized boolean isUsed()
    {
        return isUsed;
    }

    /** The number of rows so far. */
    synchronized long total()
    {
        return ended + indexes.stream().mapToLong(Index::passed).sum();
    }
}
