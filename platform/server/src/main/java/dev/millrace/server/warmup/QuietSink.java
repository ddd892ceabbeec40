package dev.millrace.server.warmup;

import dev.millrace.api.stage.StreamSink;

/** The sink of the warm-up's network: takes anything, gets nothing. */
public final class QuietSink implements StreamSink
{
    @Override
    public void onInsertEvent(final Object event)
    {
        // No event gets here, for the network is never started.
    }
}
