package dev.millrace.adapter.loadgen;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Number of open connections per address. Confined to the I/O thread; contains only addresses with open connections.
 *
 * <p>Usually an IPv6 host owns a 64-bit network, which therefore counts as one address.
 */
final class PeerCounts
{
    private static final int NETWORK_BYTES = 8;

    private final Map<InetAddress, Integer> open = new HashMap<>();
    private final int maxOfLoopback;
    private final int maxOfOthers;

    /**
     * Creates counts.
     *
     * @param maxPerPeer     limit per address; 0 permits all connections for loopback and a quarter for each other
     * address
     * @param maxConnections limit of all connections
     */
    PeerCounts(final int maxPerPeer, final int maxConnections)
    {
        maxOfLoopback = maxPerPeer > 0 ? maxPerPeer : maxConnections;
        maxOfOthers = maxPerPeer > 0 ? maxPerPeer : Math.max(1, maxConnections / 4);
    }

    int max(final InetAddress peer)
    {
        return peer.isLoopbackAddress() ? maxOfLoopback : maxOfOthers;
    }

    /** Counts a connection unless its address has reached its limit. */
    boolean add(final InetAddress peer)
    {
        final InetAddress key = keyOf(peer);
        final int count = open.getOrDefault(key, 0);
        if (count >= max(peer))
        {
            return false;
        }
        open.put(key, count + 1);
        return true;
    }

    /** Removes a counted connection. */
    void remove(final InetAddress peer)
    {
        open.computeIfPresent(keyOf(peer), (key, count) -> count == 1 ? null : count - 1);
    }

    private static InetAddress keyOf(final InetAddress peer)
    {
        if (!(peer instanceof Inet6Address) || peer.isLoopbackAddress())
        {
            return peer;
        }
        final byte[] network = peer.getAddress();
        Arrays.fill(network, NETWORK_BYTES, network.length, (byte)0);
        try
        {
            return InetAddress.getByAddress(network);
        }
        catch (final java.net.UnknownHostException impossible)
        {
            throw new IllegalStateException(impossible);
        }
    }
}
