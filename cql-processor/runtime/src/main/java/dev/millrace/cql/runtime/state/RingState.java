package dev.millrace.cql.runtime.state;

/**
 * A structure whose arrays are indexed by the positions of a ring. Used by the thread of its owner, between batches.
 */
public interface RingState
{
    /**
     * Writes the state of the rows of the ring.
     *
     * @param head position of the oldest row
     * @param tail position of the next row
     */
    void write(StateOutput to, int head, int tail);

    /**
     * Restores what another instance has written. This one must be new.
     *
     * @param head     position of the oldest row
     * @param tail     position of the next row
     * @param capacity of the ring, a power of two
     */
    void read(StateInput from, int head, int tail, int capacity);
}
