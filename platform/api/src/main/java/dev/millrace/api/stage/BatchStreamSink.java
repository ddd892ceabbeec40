package dev.millrace.api.stage;

import java.util.Collection;

/** A sink of a stream that takes events of one timestamp together. */
public interface BatchStreamSink
{
    /**
     * Takes inserted events.
     *
     * @param events beans, maps or tuples, in order
     * @throws BatchRejectedException when some or all cannot be taken
     */
    void onInsertEvents(Collection<Object> events) throws BatchRejectedException;
}
