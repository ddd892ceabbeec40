package dev.millrace.api.function;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * State of an application object that an engine keeps: an incremental {@link AggregateFunction}, or a
 * {@link dev.millrace.api.window.TimeWindow}. If its class implements this interface, the state can be written and
 * restored by a new object. If it does not, writing the state of the query is refused with the name of the class.
 *
 * <p>A class without state implements both methods with empty bodies. An aggregate that is not incremental needs
 * neither, because its rows are added again.
 *
 * <p>Threads: the thread that calls the object's other methods, between two rows. Failure: an exception refuses the
 * state; the object that was to be restored is discarded.
 */
public interface CheckpointedState
{
    /**
     * Writes everything that later results depend on. Later versions of the class must be able to read it.
     *
     * @param to receives the state, at most 64 MiB
     * @throws IOException when it cannot be written
     */
    void snapshotState(DataOutput to) throws IOException;

    /**
     * Restores the state that another object of the class has written. Called once, on a new object; on an aggregate
     * after {@link AggregateFunction#handleReset()}.
     *
     * @param from provides the state; all of it must be read
     * @throws IOException when the state is invalid
     */
    void restoreState(DataInput from) throws IOException;
}
