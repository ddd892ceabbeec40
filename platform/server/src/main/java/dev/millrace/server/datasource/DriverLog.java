package dev.millrace.server.datasource;

import java.sql.Driver;
import java.sql.SQLFeatureNotSupportedException;
import java.text.MessageFormat;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards {@code java.util.logging} records of a driver to the server's log. Failures that the driver also throws are
 * logged at debug level, because the user of the connection reports them. Thread-safe.
 */
final class DriverLog extends Handler
{
    /**
     * Replaces the console handler of a driver's loggers.
     *
     * @return its logger, to be referenced strongly; {@code null} when the driver does not use java.util.logging
     */
    static Logger attach(final Driver driver)
    {
        try
        {
            final Logger logger = driver.getParentLogger();
            if (logger != null && !logger.getName().isEmpty())
            {
                logger.setUseParentHandlers(false);
                if (logger.getHandlers().length == 0)
                {
                    logger.addHandler(new DriverLog());
                }
            }
            return logger;
        }
        catch (final SQLFeatureNotSupportedException notUsed)
        {
            return null;
        }
    }

    @Override
    public void publish(final LogRecord line)
    {
        final String name = line.getLoggerName() == null ? DriverLog.class.getName() : line.getLoggerName();
        final org.slf4j.Logger log = LoggerFactory.getLogger(name);
        final Object[] parameters = line.getParameters();
        final String text = parameters == null || parameters.length == 0 ? line.getMessage() :
            MessageFormat.format(line.getMessage(), parameters);
        if (line.getThrown() != null || line.getLevel().intValue() < Level.INFO.intValue())
        {
            log.debug(text, line.getThrown());
        }
        else if (line.getLevel().intValue() >= Level.WARNING.intValue())
        {
            log.warn(text);
        }
        else
        {
            log.info(text);
        }
    }

    @Override
    public void flush()
    {
        // Not buffered.
    }

    @Override
    public void close()
    {
        // Holds no resources.
    }
}
