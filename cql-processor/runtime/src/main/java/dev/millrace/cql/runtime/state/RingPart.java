package dev.millrace.cql.runtime.state;

/**
 * A structure whose arrays follow those of a ring. Threads: those of its owner, between batches.
 */
public interface RingPart
{
    /**
     * Writes what it keeps of the rows of the ring.
     *
     * @param to   takes it
     * @param head position of the oldest row
     * @param tail position of the next row
     */
    void write(StateOutput to, int head, int tail);

    /**
     * Takes over what another one has written. It must be new.
     *
     * @param from   gives it
     * @param head   position of the oldest row
     * @param tail   position of the next row
     * @param places of the ring: a power of two
     */
    void read(StateInput from, int head, int tail, int places);
}
