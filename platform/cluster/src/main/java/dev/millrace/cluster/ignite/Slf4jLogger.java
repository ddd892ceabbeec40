package dev.millrace.cluster.ignite;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ignite.IgniteLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands messages of Ignite to slf4j. What it tells users is of interest to developers only, for its settings are made
 * here; what it calls errors is mostly that a member has left while something was sent to it. Failures of this member
 * come as exceptions of its calls or to {@link FailedNode}. So errors are warnings, without stacks, and only while the
 * node runs: before, the exception tells, and afterwards they are of no interest. What concerns users is told by
 * {@link Strangers}.
 */
final class Slf4jLogger implements IgniteLogger
{
    private static final String ALL = "org.apache.ignite";
    private static final int MAX_CHARS = 400;

    private final Logger log;
    private final AtomicBoolean runs;
    private final Strangers strangers;

    Slf4jLogger(final Strangers strangers)
    {
        this(LoggerFactory.getLogger(ALL), new AtomicBoolean(), strangers);
    }

    private Slf4jLogger(final Logger log, final AtomicBoolean runs, final Strangers strangers)
    {
        this.log = log;
        this.runs = runs;
        this.strangers = strangers;
    }

    /** Whether errors are told. */
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
