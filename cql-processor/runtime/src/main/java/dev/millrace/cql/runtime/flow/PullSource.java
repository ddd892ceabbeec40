package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;

/**
 * Something that is asked for rows: a cache, a table, a function.
 *
 * <p>Threads: asked by the thread of the engine; answers before it returns. Failure: {@link RowRejectedException}
 * rejects the row that asked.
 */
@FunctionalInterface
public interface PullSource
{
    /** Takes the rows found. */
    @FunctionalInterface
    interface Rows
    {
        /**
         * Takes a row.
         *
         * @param values one a column, boxed or {@code null}; lent
         */
        void row(Object[] values);
    }

    /**
     * Finds rows.
     *
     * @param keys what is asked with, boxed or {@code null}; lent
     * @param rows takes them, in order
     */
    void find(Object[] keys, Rows rows);

    /**
     * Begins to feed a copy of the source, by one key that is a whole number or a string: rows are looked up in it
     * instead of being asked for.
     *
     * @param keyType type of the key
     * @return new feed, which ends with the source; {@code null} where a copy would not follow the source
     */
    default PullFeed feed(final CqlType keyType)
    {
        return null;
    }
}
