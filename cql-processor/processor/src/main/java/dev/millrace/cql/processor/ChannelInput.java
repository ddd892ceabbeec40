package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/** What one source thread of a channel sends into: passes each batch to all groups of pipelines the channel feeds. */
final class ChannelInput implements EventBatchSink
{
    private final RowRoute[] routes;

    ChannelInput(final RowRoute[] routes)
    {
        this.routes = routes;
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        for (final RowRoute route : routes)
        {
            route.send(batch);
        }
    }

    RowRoute[] routes()
    {
        return routes;
    }
}
