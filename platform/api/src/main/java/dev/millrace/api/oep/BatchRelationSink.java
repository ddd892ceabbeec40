package dev.millrace.api.oep;

import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.RelationSink;
import java.util.List;

/** A sink of a relation that receives the changes of one timestamp together, and single ones if no channel batches. */
public interface BatchRelationSink extends dev.millrace.api.stage.BatchRelationSink, BatchStreamSink, RelationSink
{
    @Override
    default void onDeleteEvent(final Object event) throws EventRejectedException
    {
        onEvents(List.of(), List.of(event), List.of());
    }

    @Override
    default void onUpdateEvent(final Object event) throws EventRejectedException
    {
        onEvents(List.of(), List.of(), List.of(event));
    }
}
