package dev.millrace.cluster;

import java.util.Set;

/**
 * Large values replicated to all members, stored off-heap. A put returns when all members have the value. Nothing is
 * stored on disk.
 *
 * <p>Thread-safe.
 *
 * <p>Failure: while this member is fenced, every method throws {@link IgniteReplicatedMap.FencedException}. The caller
 * of {@code put} must keep the total size of all values below {@link #MAX_TOTAL_BYTES}.
 */
public interface ReplicatedBlobStore
{
    /** Maximum size of all values of all stores; a member that runs out of memory for them cannot continue. */
    long MAX_TOTAL_BYTES = 128L << 20;

    /**
     * Returns a value.
     *
     * @param name of the value
     * @return a copy; null when it does not exist
     */
    byte[] get(String name);

    /**
     * Whether a value exists.
     *
     * @param name of the value
     * @return true if it exists
     */
    boolean contains(String name);

    /**
     * Sets a value.
     *
     * @param name  of the value
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
     * Names of all values.
     *
     * @return a snapshot
     */
    Set<String> names();
}
