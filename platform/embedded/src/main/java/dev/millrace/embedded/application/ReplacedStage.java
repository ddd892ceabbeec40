package dev.millrace.embedded.application;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.EventRejectedException;

/**
 * Replaces a stage at the boundary of the network: what it receives goes to the observer, what it sends comes from its
 * feed. Its properties are ignored.
 */
final class ReplacedStage implements Adapter, EventBatchSource, EventBatchSink
{
    private EventBatchSink observer = batch ->
    {
        // Nobody observes it.
    };
    private RowFeed feed;

    /** Sets what receives its rows; before the network is built. */
    ReplacedStage observedBy(final EventBatchSink given)
    {
        observer = given;
        return this;
    }

    /** Sets what it sends; before the network is built. */
    ReplacedStage fedBy(final RowFeed given)
    {
        feed = given;
        return this;
    }

    @Override
    public void setBatchSender(final EventBatchSender sender)
    {
        feed.open(sender);
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.size() > 0)
        {
            observer.onBatch(batch);
        }
    }
}
