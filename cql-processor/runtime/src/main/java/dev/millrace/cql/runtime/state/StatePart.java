package dev.millrace.cql.runtime.state;

/**
 * A structure that keeps state. Threads: those of its owner, between batches.
 */
public interface StatePart
{
    /**
     * Writes all that it keeps.
     *
     * @param to takes it
     * @throws StateException when something of it cannot be written, or there is too much
     */
    void write(StateOutput to);

    /**
     * Takes over what another one of the same make has written. It must be new.
     *
     * @param from gives what {@link #write} has given
     * @throws StateException when that makes no sense
     */
    void read(StateInput from);
}
