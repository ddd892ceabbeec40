package dev.millrace.api.oep;

import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StreamSink;
import java.util.List;

/** A sink of a stream that receives the events of one timestamp together, and single events if no channel batches. */
public interface BatchStreamSink extends dev.millrace.api.stage.BatchStreamSink, StreamSink
{
    @Override
    default void onInsertEvent(final Object event) throws EventRejectedException
    {
        onInsertEvents(List.of(event));
    }
}
