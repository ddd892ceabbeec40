package dev.millrace.api.stage;

/** A sink of a stream: sees single events as beans, maps or tuples, as the channel's event type says. */
public interface StreamSink
{
    /**
     * Takes an inserted event.
     *
     * @param event bean, map or {@link dev.millrace.api.event.TupleEvent}; the sink may keep it
     * @throws EventRejectedException when it cannot be taken
     */
    void onInsertEvent(Object event) throws EventRejectedException;
}
