package dev.millrace.adapter.loadgen;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.SelectionKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The connections whose senders wait for acknowledgements. Confined to the I/O thread. An acknowledgement covers all
 * rows of a millisecond, and stages that store rows later are asked less often.
 */
final class Acknowledgements
{
    private static final Logger LOG = System.getLogger(Acknowledgements.class.getName());
    private static final long MIN_MILLIS = 1;
    private static final long MAX_MILLIS = 64;

    private final Map<Connection, SelectionKey> waiting = new HashMap<>();
    private final BiConsumer<Connection, SelectionKey> lost;
    private long waitMillis = MIN_MILLIS;
    private long lastNs;

    /**
     * Creates an empty collection.
     *
     * @param lost receives connections that failed
     */
    Acknowledgements(final BiConsumer<Connection, SelectionKey> lost)
    {
        this.lost = lost;
    }

    /** Adds a connection after its rows were read, if its sender waits. */
    void add(final Connection connection, final SelectionKey key)
    {
        if (connection.awaitsAcknowledgement() && waiting.put(connection, key) == null)
        {
            waitMillis = MIN_MILLIS;
        }
    }

    /** Removes a connection that is closed. */
    void remove(final Connection connection)
    {
        waiting.remove(connection);
    }

    /** Maximum time until the next call of {@link #send}; 0 if no sender waits. */
    long timeoutMillis()
    {
        return waiting.isEmpty() ? 0 : waitMillis;
    }

    /** Sends what is due. All rows must have been sent on. */
    void send(final long nowNs)
    {
        if (waiting.isEmpty() || nowNs - lastNs < TimeUnit.MILLISECONDS.toNanos(waitMillis))
        {
            return;
        }
        lastNs = nowNs;
        boolean hasProgress = false;
        final Map<Connection, SelectionKey> failed = new HashMap<>();
        for (final Iterator<Map.Entry<Connection, SelectionKey>> each = waiting.entrySet().iterator(); each.hasNext();)
        {
            final Map.Entry<Connection, SelectionKey> next = each.next();
            final Connection connection = next.getKey();
            try
            {
                hasProgress |= connection.acknowledge();
            }
            catch (final IOException ex)
            {
                LOG.log(Level.DEBUG, "an acknowledgement could not be sent, peer=" + connection.peer, ex);
                failed.put(connection, next.getValue());
            }
            if (!connection.awaitsAcknowledgement())
            {
                each.remove();
            }
        }
        waitMillis = hasProgress ? MIN_MILLIS : Math.min(MAX_MILLIS, 2 * waitMillis);
        failed.forEach(lost);
    }
}
