package dev.millrace.api.stage;

import java.util.Collection;

/** A sink of a stream that receives the events of one timestamp together. */
public interface BatchStreamSink
{
    /**
     * Receives inserted events.
     *
     * @param events beans, maps or tuples, in order
     * @throws EventRejectedException when none can be processed; a {@link BatchRejectedException} names those that
     *     cannot
     */
    void onInsertEvents(Collection<Object> events) throws EventRejectedException;
}
