package dev.millrace.cluster.ignite;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ignite.IgniteLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes messages of Ignite to slf4j. Its messages for users interest only developers, because the settings are made
 * here. Its errors mostly mean that a member left while something was sent to it; failures of this member arrive as
 * exceptions or at {@link NodeFailureHandler}. Errors are therefore logged as warnings, without stack traces, and only
 * while the node runs: before, an exception reports the failure, and afterwards it is irrelevant.
 * {@link UnknownPeerLog} logs what concerns users.
 */
final class Slf4jLogger implements IgniteLogger
{
    private static final String ALL = "org.apache.ignite";
    private static final int MAX_CHARS = 400;

    private final Logger log;
    private final AtomicBoolean runs;
    private final UnknownPeerLog strangers;

    Slf4jLogger(final UnknownPeerLog strangers)
    {
        this(LoggerFactory.getLogger(ALL), new AtomicBoolean(), strangers);
    }

    private Slf4jLogger(final Logger log, final AtomicBoolean runs, final UnknownPeerLog strangers)
    {
        this.log = log;
        this.runs = runs;
        this.strangers = strangers;
    }

    /** Whether errors are logged. */
    void setRunning(final boolean isRunning)
    {
        runs.set(isRunning);
    }

    @Override
    public IgniteLogger getLogger(final Object category)
    {
        return new Slf4jLogger(category == null ? LoggerFactory.getLogger(ALL) :
            LoggerFactory.getLogger(category instanceof Class<?> type ? type.getName() : category.toString()), runs,
            strangers);
    }

    @Override
    public void trace(final String message)
    {
        log.trace(message);
    }

    @Override
    public void debug(final String message)
    {
        log.trace(message);
    }

    @Override
    public void info(final String message)
    {
        log.debug(message);
    }

    @Override
    public void warning(final String message, final Throwable cause)
    {
        if (runs.get())
        {
            strangers.tell(log.getName(), message, cause);
        }
        log.debug(message, cause);
    }

    @Override
    public void error(final String message, final Throwable cause)
    {
        if (runs.get() && strangers.tell(log.getName(), message, cause))
        {
            log.debug(message, cause);
        }
        else if (runs.get() && !log.isDebugEnabled())
        {
            final String text = message.length() > MAX_CHARS ? message.substring(0, MAX_CHARS) + "..." : message;
            log.warn(cause == null ? text : text + " (" + cause + ')');
        }
        else
        {
            log.debug(message, cause);
        }
    }

    @Override
    public boolean isTraceEnabled()
    {
        return log.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled()
    {
        return log.isTraceEnabled();
    }

    @Override
    public boolean isInfoEnabled()
    {
        return log.isDebugEnabled();
    }

    @Override
    public boolean isQuiet()
    {
        return false;
    }

    @Override
    public String fileName()
    {
        return null;
    }
}
