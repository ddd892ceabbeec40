package dev.millrace.cluster;

import java.util.Map;

/**
 * Names and bytes that all members have alike. Each keeps a copy, so that reading takes no network; a change has
 * reached all members when the call returns, the copy of the one that made it shows it, and those of the others follow
 * at once. Nothing is kept on disk: with the last member it is gone.
 *
 * <p>Safe for all threads. Ownership: arrays are shared with the map, nobody may write into them.
 *
 * <p>Failure: while this member is fenced, changes throw {@link FencedException} and reading gives what was known;
 * after it has come back the copy is that of the others, and listeners are told of the difference.
 */
public interface SharedMap
{
    /**
     * A value.
     *
     * @param name of it
     * @return null when there is none
     */
    byte[] get(String name);

    /**
     * All values.
     *
     * @return a snapshot, by name in order
     */
    Map<String, byte[]> all();

    /**
     * Sets a value, or removes it, when nobody else has changed it.
     *
     * @param name     of it
     * @param expected what it is now; null for none
     * @param value    what it should be; null for none
     * @return false when it was something else, and still is
     * @throws FencedException when this member is fenced or has left
     */
    boolean replace(String name, byte[] expected, byte[] value);

    /**
     * Sets a value whatever it was.
     *
     * @param name  of it
     * @param value null for none
     * @throws FencedException when this member is fenced or has left
     */
    void put(String name, byte[] value);

    /**
     * Asks to be told of what is there and of each change.
     *
     * @param listener called by one thread of the cluster, one call at a time; may hear of one value twice
     */
    void addListener(Listener listener);

    /**
     * Ends that; a call that runs goes on.
     *
     * @param listener as added
     */
    void removeListener(Listener listener);

    /** Is told of changes; should not take long. */
    @FunctionalInterface
    interface Listener
    {
        /**
         * A value was set or removed by any member.
         *
         * @param name  of it
         * @param value null when it is gone
         */
        void changed(String name, byte[] value);
    }

    /** This member may not change what the others have, for they have gone on without it. */
    final class FencedException extends IllegalStateException
    {
        private static final long serialVersionUID = 1L;

        /**
         * Says who.
         *
         * @param member name of this member
         */
        public FencedException(final String member)
        {
            super("this member is not in the cluster now, member=" + member + "; try again when it is back");
        }
    }
}
