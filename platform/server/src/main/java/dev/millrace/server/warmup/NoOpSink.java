package dev.millrace.server.warmup;

import dev.millrace.api.stage.StreamSink;

/** The sink of the warm-up's network; receives no events. */
public final class NoOpSink implements StreamSink
{
    @Override
    public void onInsertEvent(final Object event)
    {
        // No event arrives, because the network is never started.
    }
}
