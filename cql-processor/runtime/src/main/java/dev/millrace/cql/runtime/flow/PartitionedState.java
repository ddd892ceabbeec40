package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Access to the state of a unit of a flow, other than by its rows and time. Called between batches only.
 *
 * <p>Confined to the engine thread.
 */
public interface PartitionedState
{
    /**
     * Writes its state; its outputs have already emitted their rows.
     *
     * @throws StateException when some of the state cannot be written, or is too large
     */
    void write(StateOutput to);

    /**
     * Discards the state of some partitions of a source at once, including rows that wait for their instant. Rows
     * emitted during the call are meaningless: for copies that keep only the other partitions.
     *
     * @param input index of the input
     * @throws StateException when the state cannot be separated by partition
     */
    void discard(int input, PartitionPredicate partitions);

    /**
     * Discards the state of some partitions of a source: later rows find nothing. Rows that downstream readers have
     * leave, as if their time had come. Rows that wait for their instant are processed first, so that this happens now
     * or after that instant.
     *
     * @param input       index of the input
     * @param notBeforeNs time whose instant must have passed, because rows may be in flight
     */
    void forget(int input, PartitionPredicate partitions, long notBeforeNs);
}
