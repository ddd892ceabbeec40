package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.row.RowFaultHandler;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * A part of a flow that processes whole batches: one generated class.
 *
 * <p>Confined to the engine thread; {@link #state} is thread-safe. Ownership: batches and arrays are lent for the call.
 */
public interface FlowUnit extends PartitionedState
{
    /**
     * Initializes the unit and processes the beginning of time.
     *
     * @param faults receives rejected rows
     */
    void open(RowFaultHandler faults);

    /**
     * Initializes the unit with state that a unit of the same class has written, instead of the beginning of time.
     * After a failure the unit must not be used.
     *
     * @param faults receives rejected rows
     * @throws StateException when it was written by another class or for other constants, or is corrupt
     */
    void open(RowFaultHandler faults, StateInput from);

    /**
     * Processes rows of a batch.
     *
     * @param input    index of the input
     * @param batch    lent
     * @param timesNs  time of each selected row; never decreasing
     * @param rows     row number in the batch of each selected row
     * @param count    number of selected rows
     * @param closesNs no other row will have a time up to this one
     */
    void rows(int input, EventBatch batch, long[] timesNs, int[] rows, int count, long closesNs);

    /**
     * Processes everything that is due.
     *
     * @param closedNs no row of this time or before will arrive; never decreases
     */
    void advance(long closedNs);

    /**
     * How far its output is complete.
     *
     * @param closedNs how far its input is complete
     * @return no row of this time or before will be emitted
     */
    default long completeNs(final long closedNs)
    {
        return closedNs;
    }

    /**
     * Processes the end of all inputs: decided rows that wait for others must be emitted.
     *
     * @param closedNs how far the input is complete
     */
    default void finish(final long closedNs)
    {
        // Most units hold back nothing.
    }

    /** Whether rows of partitions that it has discarded may still be emitted. */
    default boolean mayHoldForgotten()
    {
        return true;
    }

    /** Its outputs; the same objects at each call. */
    List<QueryOutput> outputs();

    /**
     * Reports the size of its state.
     *
     * @param figures receives the name of an operator and the number of rows or groups it currently stores
     */
    void state(ObjLongConsumer<String> figures);

    /** Number of keys discarded because no row arrived for the idle state time. */
    default long forgottenKeys()
    {
        return 0;
    }
}
