package dev.millrace.loadgen;

import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop of a thread that serves some connections: writes what is due, sleeps until shortly before the next packet is
 * due, and spins for the rest as far as its budget permits, because a sleeping thread wakes up slightly late.
 */
final class SenderThread extends Thread
{
    private static final long LONGEST_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GeneratorSettings settings;
    private final List<SenderConnection> connections;
    private final Clock clock;
    private final SpinBudget spinning;
    private volatile boolean isStopping;
    private volatile String failure;
    private volatile long endedNs;
    private long roundNs;

    SenderThread(final String name, final GeneratorSettings settings, final List<SenderConnection> connections,
        final Clock clock)
    {
        super(name);
        setDaemon(true);
        this.settings = settings;
        this.connections = connections;
        this.clock = clock;
        spinning = new SpinBudget(TimeUnit.MICROSECONDS.toNanos(settings.spinMicros()), settings.spinPercent());
    }

    /** Ends the loop after the current round. */
    void end()
    {
        isStopping = true;
        LockSupport.unpark(this);
    }

    /** Message when a connection was lost, else {@code null}. */
    String failure()
    {
        return failure;
    }

    long endedNs()
    {
        return endedNs;
    }

    @Override
    public void run()
    {
        try
        {
            while (!isStopping)
            {
                final long nextNs = round();
                if (nextNs == SenderConnection.DONE)
                {
                    break;
                }
                pause(nextNs);
            }
        }
        catch (final RuntimeException ex)
        {
            System.getLogger(getClass().getName()).log(System.Logger.Level.ERROR, "sender thread failed", ex);
            failure = "GEN-0302 the sender thread failed, file=" + settings.name() + " cause=" + ex +
                "; this is an internal error of the load generator, report it with the stack trace above";
        }
        finally
        {
            endedNs = clock.epochNs();
        }
    }

    private long round()
    {
        long nextNs = SenderConnection.DONE;
        for (final SenderConnection connection : connections)
        {
            final long nowNs = clock.epochNs();
            roundNs = nowNs;
            try
            {
                nextNs = Math.min(nextNs, connection.step(nowNs));
            }
            catch (final IOException ex)
            {
                lost(connection, ex, nowNs);
                nextNs = nowNs;
            }
        }
        return nextNs;
    }

    private void lost(final SenderConnection connection, final IOException cause, final long nowNs)
    {
        final String says = connection.serverSays();
        connection.drop(nowNs);
        final String message = "GEN-0301 connection lost, file=" + settings.name() + " host=" + settings.host() +
            " port=" + settings.port() + " connection=" + (connection.index + 1) + " rowsSent=" +
            connection.rowsSent.get() + " cause=" + cause.getMessage() + says;
        if (settings.reconnect() || settings.stream() != null)
        {
            System.getLogger(getClass().getName()).log(System.Logger.Level.WARNING,
                message + (settings.stream() == null ? "; reconnecting every second" :
                "; reconnecting, and sending again what is not stored"));
            return;
        }
        failure = message + "; check the server's log, restart the server or its application and then the " +
            "generator (or set test.reconnect=true)";
        isStopping = true;
    }

    private void pause(final long nextNs)
    {
        if (nextNs <= roundNs)
        {
            return;
        }
        final long nowNs = clock.epochNs();
        final long waitNs = nextNs - nowNs;
        if (waitNs <= 0)
        {
            return;
        }
        final long sleepNs = areAllBlocked() ? waitNs : spinning.sleepNs(nowNs, waitNs);
        if (sleepNs > 0)
        {
            LockSupport.parkNanos(this, Math.min(LONGEST_SLEEP_NS, sleepNs));
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /**
     * Whether all connections are blocked: the thread then waits for receivers, so precision of wake-up does not
     * matter.
     */
    private boolean areAllBlocked()
    {
        for (final SenderConnection connection : connections)
        {
            if (!connection.isBlocked())
            {
                return false;
            }
        }
        return true;
    }
}
