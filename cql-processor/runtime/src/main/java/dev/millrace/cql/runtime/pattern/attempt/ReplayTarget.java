package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowStore;

/**
 * Brings rows of matches into the region behind a pattern. Threads: the engine's.
 *
 * @param target  where they go
 * @param results store of the rows
 */
record ReplayTarget(ReplayOperator target, RowStore results) implements MatchTarget
{
    @Override
    public void put(final int row, final long timeNs)
    {
        target.put(row, timeNs);
        results.release(row);
    }

    @Override
    public void close(final long timeNs)
    {
        target.close(timeNs);
    }
}
