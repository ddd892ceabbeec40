package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.LookupRelation;

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
     * A copy of the source, of one key that is a whole number, in which rows may be looked up instead of asking for
     * them. It follows the source at {@link #refresh}.
     *
     * @return the same always, {@code null} without
     */
    default LookupRelation copy()
    {
        return null;
    }

    /** Takes what has changed in the source into the copy: before a batch. */
    default void refresh()
    {
        // Most sources have no copy.
    }

    /**
     * Whether what is not in the copy is not in the source either.
     *
     * @return false when the source must be asked for a key that the copy does not have
     */
    default boolean isComplete()
    {
        return false;
    }
}
