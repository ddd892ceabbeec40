package dev.millrace.server.http;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks all connections of the endpoint. Closes connections whose request does not arrive in time, and the oldest ones
 * when there are too many. A connection whose request is being executed is never closed. Thread-safe.
 */
final class ConnectionGuard implements Connection.Listener
{
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);

    private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final EndpointLimits limits;

    /** In the order of opening; guarded by this, like all following fields. */
    private final Map<EndPoint, Held> held = new LinkedHashMap<>();

    private final Map<Reason, Long> closed = new LinkedHashMap<>();

    private int running;

    private long notLogged;

    private long nextLogNs = System.nanoTime();

    private long acceptFailures;

    private long nextAcceptLogNs = System.nanoTime();

    /** Reason why a connection was closed. */
    enum Reason
    {
        /** The head of a request took too long or did not arrive. */
        HEAD_LATE("closedForLateHead"),
        /** A body arrived too slowly. */
        BODY_SLOW("closedForSlowBody"),
        /** Too many connections without credentials from the same address. */
        PEER_LIMIT("closedForPeerLimit"),
        /** The process had no file handles for another connection. */
        HANDLE_LIMIT("closedForHandleLimit"),
        /** The maximum number of connections was reached. */
        CONNECTION_LIMIT("closedForConnectionLimit");

        private final String figure;

        Reason(final String figure)
        {
            this.figure = figure;
        }
    }

    private enum Phase
    {
        HEAD,
        /** The credentials are checked. The client may wait for that, so it has no time limit. */
        LOGIN,
        BODY,
        RUNNING
    }

    /** State of a connection; guarded by the outer instance. */
    private static final class Held
    {
        private final String peer;
        private Phase phase = Phase.HEAD;
        private long sinceNs = System.nanoTime();
        private long bodyBytes;
        private boolean known;

        Held(final String peer)
        {
            this.peer = peer;
        }

        private boolean isUnknown()
        {
            return !known && phase != Phase.RUNNING;
        }
    }

    private record Victim(EndPoint endPoint, Reason reason, String peer)
    {
    }

    ConnectionGuard(final EndpointLimits limits)
    {
        this.limits = limits;
    }

    @Override
    public void onOpened(final Connection connection)
    {
        if (connection instanceof SslConnection)
        {
            // The connection inside it is opened at the same time.
            return;
        }
        final EndPoint endPoint = connection.getEndPoint();
        Victim victim;
        synchronized (this)
        {
            final Held opened = new Held(address(endPoint));
            victim = oldestOfPeer(opened.peer);
            if (victim == null && held.size() >= limits.connections())
            {
                victim = oldest(endPoint, opened.peer, Reason.CONNECTION_LIMIT);
            }
            held.put(endPoint, opened);
            if (victim != null)
            {
                held.remove(victim.endPoint);
            }
        }
        if (victim != null)
        {
            close(List.of(victim));
        }
    }

    private Victim oldestOfPeer(final String peer)
    {
        int count = 0;
        EndPoint oldest = null;
        for (final Map.Entry<EndPoint, Held> entry : held.entrySet())
        {
            if (entry.getValue().isUnknown() && entry.getValue().peer.equals(peer))
            {
                count++;
                oldest = oldest == null ? entry.getKey() : oldest;
            }
        }
        return count >= limits.unknownPerPeer() ? new Victim(oldest, Reason.PEER_LIMIT, peer) : null;
    }

    /** A connection could not be accepted: closes the oldest idle connection to free its file handle. */
    void acceptFailed(final Throwable failure)
    {
        final Victim victim;
        synchronized (this)
        {
            acceptFailures++;
            if (System.nanoTime() - nextAcceptLogNs >= 0)
            {
                nextAcceptLogNs = System.nanoTime() + LOG_INTERVAL_NS;
                LOG.error("SRV-0417 management connections cannot be accepted, times={} open={} reason={} hint: close"
                    + " connections, or start the server with a higher limit of file handles (ulimit -n)",
                    acceptFailures, held.size(), failure.toString());
                acceptFailures = 0;
            }
            victim = oldest(null, "-", Reason.HANDLE_LIMIT);
            held.remove(victim.endPoint);
        }
        if (victim.endPoint != null)
        {
            close(List.of(victim));
        }
    }

    /** Returns the oldest connection without credentials, or else the oldest without a request, or else the new one. */
    private Victim oldest(final EndPoint opened, final String peer, final Reason reason)
    {
        Victim idle = null;
        for (final Map.Entry<EndPoint, Held> entry : held.entrySet())
        {
            final Held each = entry.getValue();
            if (each.isUnknown())
            {
                return new Victim(entry.getKey(), reason, each.peer);
            }
            if (idle == null && each.phase == Phase.HEAD)
            {
                idle = new Victim(entry.getKey(), reason, each.peer);
            }
        }
        return idle == null ? new Victim(opened, reason, peer) : idle;
    }

    private static String address(final EndPoint endPoint)
    {
        return endPoint.getRemoteSocketAddress() instanceof final InetSocketAddress address
            ? address.getAddress().getHostAddress() : "-";
    }

    @Override
    public synchronized void onClosed(final Connection connection)
    {
        held.remove(connection.getEndPoint());
    }

    /** Called when the head of a request has arrived. */
    synchronized void headArrived(final EndPoint endPoint)
    {
        final Held each = held.get(endPoint);
        if (each != null)
        {
            each.phase = Phase.LOGIN;
        }
    }

    /** Records whether the request on a connection has valid credentials. From now on its body must arrive. */
    synchronized void knows(final EndPoint endPoint, final boolean known)
    {
        final Held each = held.get(endPoint);
        if (each != null)
        {
            each.known = known;
            if (each.phase == Phase.LOGIN)
            {
                each.phase = Phase.BODY;
                each.sinceNs = System.nanoTime();
                each.bodyBytes = 0;
            }
        }
    }

    /** Called when more of a body has arrived. */
    synchronized void bodyArrives(final EndPoint endPoint, final int sizeBytes)
    {
        final Held each = held.get(endPoint);
        if (each != null)
        {
            each.bodyBytes += sizeBytes;
        }
    }

    /** Called when the whole request has arrived and is being executed. */
    synchronized void requestArrived(final EndPoint endPoint)
    {
        running++;
        final Held each = held.get(endPoint);
        if (each != null)
        {
            each.phase = Phase.RUNNING;
        }
    }

    /** Called when a request has been executed, even when no client reads the response. */
    synchronized void requestDone()
    {
        running--;
        notifyAll();
    }

    /** Called when the response was sent; the connection waits for the next head. */
    synchronized void answered(final EndPoint endPoint)
    {
        final Held each = held.get(endPoint);
        if (each != null)
        {
            each.phase = Phase.HEAD;
            each.sinceNs = System.nanoTime();
        }
    }

    /** Closes connections that exceed their time limit; called periodically. */
    void sweep()
    {
        final long nowNs = System.nanoTime();
        final List<Victim> late = new ArrayList<>();
        synchronized (this)
        {
            held.forEach((endPoint, each) ->
            {
                final long elapsedNs = nowNs - each.sinceNs;
                if (each.phase == Phase.HEAD && elapsedNs > limits.headTimeoutNs())
                {
                    late.add(new Victim(endPoint, Reason.HEAD_LATE, each.peer));
                }
                else if (each.phase == Phase.BODY && isSlow(elapsedNs, each.bodyBytes))
                {
                    late.add(new Victim(endPoint, Reason.BODY_SLOW, each.peer));
                }
            });
            late.forEach(victim -> held.remove(victim.endPoint));
        }
        close(late);
    }

    private boolean isSlow(final long elapsedNs, final long bodyBytes)
    {
        final long dueNs = elapsedNs - limits.bodyGraceNs();
        return dueNs > 0 && bodyBytes < TimeUnit.NANOSECONDS.toMillis(dueNs) * limits.bodyRateBytesPerSec() / 1_000;
    }

    /** Closes outside the lock, because closing calls back. */
    private void close(final List<Victim> victims)
    {
        for (final Victim victim : victims)
        {
            count(victim);
            victim.endPoint.close();
        }
    }

    private synchronized void count(final Victim victim)
    {
        closed.merge(victim.reason, 1L, Long::sum);
        notLogged++;
        if (System.nanoTime() - nextLogNs >= 0)
        {
            nextLogNs = System.nanoTime() + LOG_INTERVAL_NS;
            LOG.warn("SRV-0410 management connections closed, count={} last={} peer={} open={}; the counters of"
                + " 'http' in GET /wlevs/server continue to count", notLogged, victim.reason, victim.peer, held.size());
            notLogged = 0;
        }
    }

    /** Waits until no request is being executed; false when that takes longer. */
    synchronized boolean awaitIdle(final long timeoutNs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (running > 0)
        {
            final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0)
            {
                return false;
            }
            wait(leftMs);
        }
        return true;
    }

    /** Returns the current number of connections, and how many were closed for each reason. */
    synchronized Map<String, Object> figures()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("connections", held.size());
        figures.put("maxConnections", limits.connections());
        for (final Reason reason : Reason.values())
        {
            figures.put(reason.figure, closed.getOrDefault(reason, 0L));
        }
        return figures;
    }
}
