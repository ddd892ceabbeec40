package dev.millrace.api.stage;

/** A sink of a stream: receives single events as beans, maps or tuples, depending on the channel's event type. */
public interface StreamSink
{
    /**
     * Receives an inserted event.
     *
     * @param event bean, map or {@link dev.millrace.api.event.TupleEvent}; the sink may keep it
     * @throws EventRejectedException when it cannot be processed
     */
    void onInsertEvent(Object event) throws EventRejectedException;
}
