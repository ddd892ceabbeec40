package dev.millrace.server.warmup;

import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSource;

/** The source of the warm-up's network: sends nothing. */
public final class QuietAdapter implements Adapter, StreamSource
{
    @Override
    public void setEventSender(final StreamSender sender)
    {
        // Nothing will be sent.
    }
}
