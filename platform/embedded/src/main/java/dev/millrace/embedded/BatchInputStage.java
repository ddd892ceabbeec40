package dev.millrace.embedded;

import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;

/** The stage above a channel that {@link EmbeddedNetwork} sends batches to. */
final class BatchInputStage implements EventBatchSource
{
    private volatile EventBatchSender sender;

    @Override
    public void setBatchSender(final EventBatchSender given)
    {
        sender = given;
    }

    EventBatchSender sender()
    {
        return sender;
    }
}
