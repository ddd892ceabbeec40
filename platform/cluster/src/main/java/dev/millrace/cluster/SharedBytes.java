package dev.millrace.cluster;

import java.util.Set;

/**
 * Large values that all members have alike, without a copy on the heap. A value has reached all members when the call
 * returns. Nothing is kept on disk.
 *
 * <p>Safe for all threads.
 *
 * <p>Failure: while this member is fenced every method throws {@link SharedMap.FencedException}. Whoever puts sees to
 * it that all values together are not larger than {@link #MAX_TOTAL_BYTES}.
 */
public interface SharedBytes
{
    /** Room for all values of all names; a member that has no room left cannot go on. */
    long MAX_TOTAL_BYTES = 128L << 20;

    /**
     * A value.
     *
     * @param name of it
     * @return a copy; null when there is none
     */
    byte[] get(String name);

    /**
     * Whether there is a value.
     *
     * @param name of it
     * @return true when there is
     */
    boolean contains(String name);

    /**
     * Sets a value.
     *
     * @param name  of it
     * @param value up to a megabyte
     */
    void put(String name, byte[] value);

    /**
     * Removes a value.
     *
     * @param name of it
     */
    void remove(String name);

    /**
     * All names. Looks at all values, so ask seldom.
     *
     * @return a snapshot
     */
    Set<String> names();
}
