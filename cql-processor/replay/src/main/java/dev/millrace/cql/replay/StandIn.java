package dev.millrace.cql.replay;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;

/** Replaces the adapters and beans of an application; neither sends nor receives events. */
final class StandIn implements Adapter, EventBatchSource, EventBatchSink
{
    @Override
    public void setBatchSender(final EventBatchSender sender)
    {
        // Sends nothing.
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        throw new IllegalStateException("internal error, please report it: a network that does not run emitted rows");
    }
}
