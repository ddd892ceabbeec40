package dev.millrace.api.stage;

import dev.millrace.api.event.EventBatch;

/**
 * Converts rows of batches to the objects of user code and back: beans, maps or
 * {@link dev.millrace.api.event.TupleEvent}s. A columnar adapter uses it to call user code, for example a message
 * converter. Thread-safe.
 */
public interface EventObjects
{
    /**
     * Writes an event to a row. Null and the empty string are stored as null. Does not change the size of the batch.
     *
     * @param event bean, map or tuple
     * @param batch of the schema for which this object was requested
     * @param row   index from 0
     * @throws EventRejectedException if the event or one of its values has a wrong type; the row may then contain some
     *     of its values
     */
    void write(Object event, EventBatch batch, int row) throws EventRejectedException;

    /**
     * Creates an event from a row.
     *
     * @param batch of the schema for which this object was requested
     * @param row   index from 0
     * @return new bean, map or tuple, by the kind of the type; it does not refer to the batch
     * @throws IllegalStateException if the bean cannot be created, or its constructor or a setter throws
     */
    Object read(EventBatch batch, int row);
}
