package dev.millrace.cql.runtime.flow;

/**
 * What changes in a source that is copied by its key.
 *
 * <p>Threads: the engine's.
 */
public interface PullFeed
{
    /** A copy. */
    interface Copy
    {
        /** Forgets all rows. */
        void clear();

        /**
         * Takes a row in place of the one of the same key.
         *
         * @param key    its key, of the class of the key's type
         * @param values one a column, boxed or {@code null}; lent
         */
        void put(Object key, Object[] values);

        /**
         * Forgets a row, if there is one.
         *
         * @param key its key
         */
        void remove(Object key);
    }

    /**
     * Hands over what has changed since it was last asked; at first, all. A look at one field when nothing has.
     *
     * @param to takes the changes
     */
    void changes(Copy to);

    /**
     * Whether the source has no row for a key that the copy does not have.
     *
     * @return false when the source must be asked for such keys
     */
    boolean isComplete();
}
