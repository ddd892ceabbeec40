package dev.millrace.cql.processor;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects the log of a class while open. Thread-safe. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable
{
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    /** Starts to collect. */
    public LogLines(final Class<?> source)
    {
        logger = (Logger)LoggerFactory.getLogger(source);
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(final ILoggingEvent event)
    {
        lines.add(event.getFormattedMessage());
    }

    /** The formatted lines so far. */
    public List<String> lines()
    {
        return List.copyOf(lines);
    }

    @Override
    public void close()
    {
        logger.detachAppender(this);
        stop();
    }
}
