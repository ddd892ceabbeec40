package dev.millrace.test;

import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSource;
import java.util.Map;

/** An adapter of the application of the tests, which sends one event on its own thread. */
public final class QuoteSource implements StreamSource, RunnableBean
{
    private StreamSender sender;
    private String symbol;

    public void setSymbol(final String symbol)
    {
        this.symbol = symbol;
    }

    @Override
    public void setEventSender(final StreamSender given)
    {
        sender = given;
    }

    @Override
    public void run()
    {
        sender.sendInsertEvent(Map.of("at", 1L, "symbol", symbol, "price", 1.0));
    }

    @Override
    public void suspend()
    {
        // It has sent its only event.
    }
}
