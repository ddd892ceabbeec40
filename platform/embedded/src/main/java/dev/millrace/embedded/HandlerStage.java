package dev.millrace.embedded;

import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StreamSink;

/**
 * The stage below a query that calls a handler.
 *
 * @param type    class of the events
 * @param handler of the application
 */
record HandlerStage<T>(Class<T> type, EventHandler<? super T> handler) implements StreamSink
{
    @Override
    public void onInsertEvent(final Object event) throws EventRejectedException
    {
        try
        {
            handler.onEvent(type.cast(event));
        }
        catch (final EventRejectedException | RuntimeException e)
        {
            throw e;
        }
        catch (final Exception e)
        {
            throw new EventRejectedException("the handler failed: " + e, e);
        }
    }
}
