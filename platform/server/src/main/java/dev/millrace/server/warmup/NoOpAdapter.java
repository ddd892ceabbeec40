package dev.millrace.server.warmup;

import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSource;

/** The source of the warm-up's network; sends no events. */
public final class NoOpAdapter implements Adapter, StreamSource
{
    @Override
    public void setEventSender(final StreamSender sender)
    {
        // No events are sent.
    }
}
