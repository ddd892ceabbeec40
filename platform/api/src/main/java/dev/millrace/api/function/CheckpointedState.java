package dev.millrace.api.function;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * State of an object of an application that an engine keeps: an incremental {@link AggregateFunction}, or a
 * {@link dev.millrace.api.window.TimeWindow}. Where its class implements this, the state can be written and read again
 * by a new object; where it does not, the state of the query cannot be written, which is refused with the name of the
 * class.
 *
 * <p>A class without state implements both methods with empty bodies. An aggregate that is not incremental needs
 * neither, since it gets its rows again.
 *
 * <p>Threads: the one that calls the object's other methods, between two rows. Failure: what a method throws refuses
 * the state; the object that was to be restored is thrown away.
 */
public interface CheckpointedState
{
    /**
     * Writes all that later results depend on. Later versions of the class must be able to read it.
     *
     * @param to takes it, at most 64 MiB
     * @throws IOException when it cannot be written
     */
    void snapshotState(DataOutput to) throws IOException;

    /**
     * Takes over what another object of the class has written. Called once, on a new object, after
     * {@link AggregateFunction#handleReset()} where it is an aggregate.
     *
     * @param from gives it; all must be read
     * @throws IOException when it makes no sense
     */
    void restoreState(DataInput from) throws IOException;
}
