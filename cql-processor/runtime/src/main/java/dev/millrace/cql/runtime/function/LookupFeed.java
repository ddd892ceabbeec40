package dev.millrace.cql.runtime.function;

/**
 * Changes of a source that is replicated by key.
 *
 * <p>Confined to the engine thread.
 */
public interface LookupFeed
{
    /** A replica. */
    interface Copy
    {
        /** Removes all rows. */
        void clear();

        /**
         * Stores a row; replaces the row with the same key, if any.
         *
         * @param key    its key, of the class of the key's type
         * @param values one per column, boxed or {@code null}; lent
         */
        void put(Object key, Object[] values);

        /** Removes the row with a key, if there is one. */
        void remove(Object key);
    }

    /**
     * Delivers the changes since the last call; the first call delivers all rows. Costs one field read when nothing has
     * changed.
     */
    void changes(Copy to);

    /**
     * Whether a key that the replica does not have does not exist in the source either.
     *
     * @return false when the source must be asked for such keys
     */
    boolean isComplete();
}
