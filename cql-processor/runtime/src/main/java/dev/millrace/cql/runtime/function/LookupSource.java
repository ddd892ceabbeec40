package dev.millrace.cql.runtime.function;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.row.RowRejectedException;

/**
 * A source that is asked for rows: a cache, a table or a function.
 *
 * <p>Called by the engine thread; synchronous. Failure: {@link RowRejectedException} rejects the requesting row.
 */
@FunctionalInterface
public interface LookupSource
{
    /** Receives the rows found. */
    @FunctionalInterface
    interface Rows
    {
        /**
         * Receives a row.
         *
         * @param values one per column, boxed or {@code null}; lent
         */
        void row(Object[] values);
    }

    /**
     * Finds rows.
     *
     * @param keys look-up keys, boxed or {@code null}; lent
     * @param rows receives them, in order
     */
    void find(Object[] keys, Rows rows);

    /**
     * Starts to feed a replica of the source, keyed by an integer or a string: rows are then looked up in the replica
     * instead of the source.
     *
     * @return new feed, which ends with the source; {@code null} when a replica would not follow the source
     */
    default LookupFeed feed(final CqlType keyType)
    {
        return null;
    }
}
