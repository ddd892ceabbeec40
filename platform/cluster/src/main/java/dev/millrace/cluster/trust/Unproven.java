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
 * Connections that have not proved yet who they are: a bounded number. A further one takes the place of the oldest of
 * the address that has the most, so that silent ones keep nobody out. Safe for all threads.
 */
public final class Unproven
{
    /** Room for all members of a large cluster at once. */
    public static final int MOST = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Unproven.class);

    private final int most;
    private final Set<Socket> sockets = new LinkedHashSet<>();
    private long evicted;

    /**
     * Begins with none.
     *
     * @param most at once
     */
    public Unproven(final int most)
    {
        this.most = most;
    }

    /**
     * Takes one in.
     *
     * @param stranger that has proved nothing
     * @return the one that has lost its place and is closed; {@code null} for none
     */
    public Socket add(final Socket stranger)
    {
        final Socket loser;
        synchronized (this)
        {
            loser = sockets.size() < most ? null : oldestOfMost();
            sockets.remove(loser);
            sockets.add(stranger);
            evicted += loser == null ? 0 : 1;
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
     * Lets one go, whatever has become of it.
     *
     * @param stranger that was taken in
     * @return whether it still had its place
     */
    public synchronized boolean remove(final Socket stranger)
    {
        return sockets.remove(stranger);
    }

    /**
     * How many have lost their place.
     *
     * @return since the beginning
     */
    public synchronized long evicted()
    {
        return evicted;
    }

    /** Closes all. */
    public void closeAll()
    {
        final Set<Socket> left;
        synchronized (this)
        {
            left = Set.copyOf(sockets);
            sockets.clear();
        }
        left.forEach(Unproven::close);
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
            LOG.debug("a socket that is of no use any more did not close cleanly", e);
        }
    }
}
