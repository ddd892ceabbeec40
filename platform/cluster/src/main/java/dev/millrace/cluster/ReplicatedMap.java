package dev.millrace.cluster;

import java.util.Map;

/**
 * A map from names to bytes, replicated to all members. Reads are local. A change returns when it has reached all
 * members: the caller's replica shows it, and the other replicas follow immediately. Nothing is stored on disk; the map
 * ends with the last member.
 *
 * <p>Thread-safe. Ownership: arrays are shared with the map and must not be modified.
 *
 * <p>Failure: while this member is fenced, changes throw {@link FencedException} and reads return the last known
 * values. When it has rejoined, its replica equals those of the other members, and listeners receive the differences.
 * A change that the other members do not confirm within a minute throws {@link ClusterTimeoutException}.
 */
public interface ReplicatedMap
{
    /**
     * Returns a value.
     *
     * @param name of the value
     * @return null when it does not exist
     */
    byte[] get(String name);

    /**
     * Returns all values.
     *
     * @return a snapshot, sorted by name
     */
    Map<String, byte[]> all();

    /**
     * Sets or removes a value if no member has changed it.
     *
     * @param name     of the value
     * @param expected current value; null for none
     * @param value    new value; null to remove it
     * @return false when the current value differs from {@code expected}; nothing changes
     * @throws FencedException when this member is fenced or has left
     */
    boolean replace(String name, byte[] expected, byte[] value);

    /**
     * Sets or removes a value unconditionally.
     *
     * @param name  of the value
     * @param value null to remove it
     * @throws FencedException when this member is fenced or has left
     */
    void put(String name, byte[] value);

    /**
     * Adds a listener for current values and changes.
     *
     * @param listener called by one thread of the cluster, one call at a time; can receive the same value twice
     */
    void addListener(Listener listener);

    /**
     * Removes a listener. A call in progress completes.
     *
     * @param listener as added
     */
    void removeListener(Listener listener);

    /** Receives changes. Must return quickly. */
    @FunctionalInterface
    interface Listener
    {
        /**
         * A member has set or removed a value.
         *
         * @param name  of the value
         * @param value null when it was removed
         */
        void changed(String name, byte[] value);
    }

    /** This member may not change shared data, because the other members have removed it from the cluster. */
    final class FencedException extends IllegalStateException
    {
        private static final long serialVersionUID = 1L;

        /**
         * Creates the exception.
         *
         * @param member name of this member
         */
        public FencedException(final String member)
        {
            super("this member is not in the cluster, member=" + member + "; try again when it has rejoined");
        }
    }

    /** Ignite has not ended an operation in time; a change may still take effect. */
    final class ClusterTimeoutException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        /**
         * Creates the exception.
         *
         * @param kind      of the shared data
         * @param name      of the shared data
         * @param member    name of this member
         * @param timeoutMs time that it has waited
         * @param cause     from Ignite
         */
        public ClusterTimeoutException(final String kind, final String name, final String member, final long timeoutMs,
            final Throwable cause)
        {
            super("the other members have not confirmed an operation, " + kind + '=' + name + " member=" + member +
                " timeoutMs=" + timeoutMs + "; a change may still take effect: check the members' logs, then read " +
                "the value before you repeat it", cause);
        }
    }
}
