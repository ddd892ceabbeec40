package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * The door to the state of a part of a flow: what others than its own rows and time may do to it. Called between
 * batches only.
 *
 * <p>Threads: the engine's.
 */
public interface PartitionedState
{
    /**
     * Writes all that it knows; its outputs have given away what they had.
     *
     * @param to takes it
     * @throws StateException when something of it cannot be written, or there is too much
     */
    void write(StateOutput to);

    /**
     * Drops what it knows of some partitions of a source, rows that wait for their instant too, at once. What comes out
     * of it meanwhile means nothing: for copies that are to keep the other partitions alone.
     *
     * @param input      number of the way in
     * @param partitions which
     * @throws StateException when that cannot be told apart
     */
    void discard(int input, PartitionTest partitions);

    /**
     * Forgets what it knows of some partitions of a source: rows that come from now on find nothing. Rows that its
     * readers know leave, as if their time had come. Rows that wait for their instant are done with first, so that this
     * happens now or after that instant.
     *
     * @param input       number of the way in
     * @param partitions  which
     * @param notBeforeNs time whose instant must be over, because rows may be on their way
     */
    void forget(int input, PartitionTest partitions, long notBeforeNs);
}
