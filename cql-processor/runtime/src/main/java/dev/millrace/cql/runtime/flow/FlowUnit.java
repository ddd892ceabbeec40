package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * A part of a flow that takes whole batches: one generated class.
 *
 * <p>Threads: the engine's; {@link #state} may be called by any. Ownership: batches and arrays are lent for the call.
 */
public interface FlowUnit extends PartitionedState
{
    /**
     * Learns who takes note of rows that it turns away, and goes through the beginning of time.
     *
     * @param faults takes note
     */
    void open(RowFaults faults);

    /**
     * Learns who takes note of rows that it turns away, and takes over what a unit of the same class has written,
     * instead of the beginning of time. From then on it is as that one was. When this fails the unit is of no use.
     *
     * @param faults takes note
     * @param from   gives it
     * @throws StateException when it was written by another class or for other constants, or makes no sense
     */
    void open(RowFaults faults, StateInput from);

    /**
     * Takes rows of a batch.
     *
     * @param input    number of the way in
     * @param batch    lent
     * @param timesNs  time of each row that is taken; they never decrease
     * @param rows     its place in the batch
     * @param count    how many are taken
     * @param closesNs no other row has the time of a row that is not later than this
     */
    void rows(int input, EventBatch batch, long[] timesNs, int[] rows, int count, long closesNs);

    /**
     * Goes through what is due.
     *
     * @param closedNs no row of this time or before will come any more; never decreases
     */
    void advance(long closedNs);

    /**
     * How far its output is complete.
     *
     * @param closedNs how far its input is
     * @return no row of this time or before will come out of it any more
     */
    default long completeNs(final long closedNs)
    {
        return closedNs;
    }

    /**
     * Learns that nothing more will come at all: what is decided, but waits for others, must go out.
     *
     * @param closedNs how far time has come
     */
    default void finish(final long closedNs)
    {
        // Most units hold nothing back.
    }

    /**
     * Whether rows of partitions that it was asked to forget may still come out of it.
     *
     * @return false when all of them have come out
     */
    default boolean mayHoldForgotten()
    {
        return true;
    }

    /**
     * Where its rows go.
     *
     * @return the same ones at each call
     */
    List<QueryOutput> outputs();

    /**
     * Says what it keeps.
     *
     * @param figures takes the name of an operator and how many rows or groups it keeps now
     */
    void state(ObjLongConsumer<String> figures);

    /**
     * Keys that it has forgotten because no row came for an idle state time, for the figures.
     *
     * @return at least 0
     */
    default long forgottenKeys()
    {
        return 0;
    }
}
