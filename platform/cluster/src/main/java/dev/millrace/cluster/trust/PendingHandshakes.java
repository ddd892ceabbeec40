package dev.millrace.cluster.trust;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded set of connections that have not authenticated yet. When it is full, a new connection evicts the oldest one
 * of the address that has the most, so that silent connections cannot lock out other addresses. Thread-safe.
 */
public final class PendingHandshakes
{
    /** Enough for all members of a large cluster at the same time. */
    public static final int MOST = 64;

    private static final Logger LOG = LoggerFactory.getLogger(PendingHandshakes.class);

    private final int most;
    private final Set<Socket> sockets = new LinkedHashSet<>();

    public PendingHandshakes(final int most)
    {
        this.most = most;
    }

    /**
     * Adds a connection.
     *
     * @return the connection that was evicted and closed; {@code null} for none
     */
    public Socket add(final Socket stranger)
    {
        final Socket loser;
        synchronized (this)
        {
            loser = sockets.size() < most ? null : oldestOfMost();
            sockets.remove(loser);
            sockets.add(stranger);
        }
        close(loser);
        return loser;
    }

    private Socket oldestOfMost()
    {
        final Map<InetAddress, Integer> counts = new HashMap<>();
        sockets.forEach(socket -> counts.merge(socket.getInetAddress(), 1, Integer::sum));
        final InetAddress address = counts.entrySet().stream().max(Comparator.comparingInt(Map.Entry::getValue))
            .orElseThrow().getKey();
        return sockets.stream().filter(socket -> socket.getInetAddress().equals(address)).findFirst().orElseThrow();
    }

    /**
     * Removes a connection after its handshake has succeeded or failed.
     *
     * @return false when it was evicted before
     */
    public synchronized boolean remove(final Socket stranger)
    {
        return sockets.remove(stranger);
    }

    /** Closes and removes all connections. */
    public void closeAll()
    {
        final Set<Socket> left;
        synchronized (this)
        {
            left = Set.copyOf(sockets);
            sockets.clear();
        }
        left.forEach(PendingHandshakes::close);
    }

    static void close(final Socket socket)
    {
        try
        {
            if (socket != null)
            {
                socket.close();
            }
        }
        catch (final IOException e)
        {
            LOG.debug("an unused socket did not close cleanly", e);
        }
    }
}
