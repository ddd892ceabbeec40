package dev.millrace.adapter.jms.connect;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open connection with its session. Confined to one thread, except {@link #close}, which any thread may call to end
 * a call of the provider that does not return.
 */
public final class JmsLink implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(JmsLink.class);

    private final Connection connection;
    private final Session session;
    private final Destination[] destinations;
    private volatile JMSException failure;

    JmsLink(final Connection connection, final Session session, final Destination[] destinations) throws JMSException
    {
        this.connection = connection;
        this.session = session;
        this.destinations = destinations;
        connection.setExceptionListener(e -> failure = e);
    }

    /** The session. */
    public Session session()
    {
        return session;
    }

    /** A destination, by its index in the list for which the connection was opened. */
    public Destination destination(final int index)
    {
        return destinations[index];
    }

    /** Lets messages arrive. */
    public void start() throws JMSException
    {
        connection.start();
    }

    /**
     * Checks whether the provider has reported the end of the connection.
     *
     * @throws JMSException if it has
     */
    public void check() throws JMSException
    {
        final JMSException reported = failure;
        if (reported != null)
        {
            throw reported;
        }
    }

    @Override
    public void close()
    {
        closeQuietly(connection);
    }

    static void closeQuietly(final Connection connection)
    {
        if (connection == null)
        {
            return;
        }
        try
        {
            connection.close();
        }
        catch (final JMSException | RuntimeException e)
        {
            // The broker ends the session of a connection that it no longer sees.
            LOG.debug("a connection could not be closed", e);
        }
    }
}
