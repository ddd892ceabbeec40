package dev.millrace.adapter.jdbc.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a pool that a stage uses. Drivers that do not support an operation cause no failure. Confined to one
 * thread, except {@link #abort}.
 *
 * @param connection returned to the pool by {@link #close}
 * @param stage      for messages
 */
public record PooledConnection(Connection connection, String stage) implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(PooledConnection.class);
    private static final Executor SAME_THREAD = Runnable::run;

    /** Limits the time of each call of the database. */
    public void limitAnswers(final int answerMillis)
    {
        try
        {
            connection.setNetworkTimeout(SAME_THREAD, answerMillis);
        }
        catch (final SQLException | RuntimeException | AbstractMethodError notOffered)
        {
            LOG.debug("the driver does not support a network timeout, stage={}", stage, notOffered);
        }
    }

    /** Aborts a database call that does not return. Thread-safe. */
    public void abort()
    {
        try
        {
            connection.abort(SAME_THREAD);
        }
        catch (final SQLException | RuntimeException | AbstractMethodError notOffered)
        {
            LOG.debug("the connection could not be aborted, stage={}", stage, notOffered);
        }
    }

    /** Ends the transaction and returns the connection. */
    @Override
    public void close()
    {
        try (connection)
        {
            if (!connection.isClosed() && !connection.getAutoCommit())
            {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
        catch (final SQLException | RuntimeException alreadyGone)
        {
            LOG.debug("the connection could not be returned to the pool, stage={}", stage, alreadyGone);
        }
    }
}
