package dev.millrace.adapter.http.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections that do not send the head of a request in time, and the one that has waited longest for a request
 * when there are too many. Connections with a request in progress are not closed. Thread-safe.
 */
final class ConnectionGuard implements Connection.Listener
{
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionGuard.class);
    private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final ServerLimits limits;
    private final String server;
    private final LongSupplier nanoTime;
    /** Times until which heads must arrive, the one that has waited longest first; guarded by this, like the rest. */
    private final Map<EndPoint, Long> waiting = new LinkedHashMap<>();
    private final Set<EndPoint> busy = new LinkedHashSet<>();
    /** Connections of another protocol, whose handlers watch them. */
    private final Set<EndPoint> upgraded = new LinkedHashSet<>();
    private long closed;
    private long notLogged;
    private long nextLogNs;

    ConnectionGuard(final ServerLimits limits, final String server, final LongSupplier nanoTime)
    {
        this.nanoTime = nanoTime;
        nextLogNs = nanoTime.getAsLong();
        this.limits = limits;
        this.server = server;
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
        EndPoint victim = null;
        synchronized (this)
        {
            if (connection instanceof Connection.UpgradeTo && !(connection instanceof ConnectionMetaData))
            {
                upgraded.add(endPoint);
                return;
            }
            if (open() >= limits.connections())
            {
                victim = waiting.isEmpty() ? endPoint : waiting.keySet().iterator().next();
                waiting.remove(victim);
            }
            if (victim != endPoint)
            {
                waiting.put(endPoint, nanoTime.getAsLong() + limits.headTimeoutNs());
            }
        }
        if (victim != null)
        {
            close(List.of(victim), "too many connections");
        }
    }

    @Override
    public synchronized void onClosed(final Connection connection)
    {
        waiting.remove(connection.getEndPoint());
        busy.remove(connection.getEndPoint());
        upgraded.remove(connection.getEndPoint());
    }

    /** Called when the head of a request has arrived. */
    synchronized void headArrived(final EndPoint endPoint)
    {
        if (waiting.remove(endPoint) != null)
        {
            busy.add(endPoint);
        }
    }

    /** Called when the response was sent; the connection waits for the next head. */
    synchronized void answered(final EndPoint endPoint)
    {
        if (busy.remove(endPoint))
        {
            waiting.put(endPoint, nanoTime.getAsLong() + limits.idleTimeoutNs());
        }
    }

    /** A connection could not be accepted: closes an idle one to free its file handle. */
    void acceptFailed(final Throwable failure)
    {
        final EndPoint victim;
        synchronized (this)
        {
            victim = waiting.isEmpty() ? null : waiting.keySet().iterator().next();
            waiting.remove(victim);
        }
        close(victim == null ? List.of() : List.of(victim), failure.toString());
    }

    /** Closes connections that exceed their time limit; called periodically. */
    void sweep()
    {
        final long nowNs = nanoTime.getAsLong();
        final List<EndPoint> late = new ArrayList<>();
        synchronized (this)
        {
            waiting.forEach((endPoint, untilNs) ->
            {
                if (nowNs - untilNs > 0)
                {
                    late.add(endPoint);
                }
            });
            late.forEach(waiting::remove);
        }
        close(late, "no request in time");
    }

    /** Closes outside the lock, because closing calls back. */
    private void close(final List<EndPoint> victims, final String reason)
    {
        if (victims.isEmpty())
        {
            return;
        }
        victims.forEach(EndPoint::close);
        synchronized (this)
        {
            closed += victims.size();
            notLogged += victims.size();
            if (nanoTime.getAsLong() - nextLogNs >= 0)
            {
                nextLogNs = nanoTime.getAsLong() + LOG_INTERVAL_NS;
                LOG.warn("connections for events closed, server={} count={} last reason={} open={}", server, notLogged,
                    reason, open());
                notLogged = 0;
            }
        }
    }

    /** Number of open connections. */
    synchronized int open()
    {
        return waiting.size() + busy.size() + upgraded.size();
    }

    /** Number of connections that were closed by a limit. */
    synchronized long closed()
    {
        return closed;
    }
}
