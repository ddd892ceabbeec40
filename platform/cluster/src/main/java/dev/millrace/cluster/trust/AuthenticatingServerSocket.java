package dev.millrace.cluster.trust;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server socket that returns only connections whose peer has authenticated as a member by TLS. A pending handshake
 * costs one thread and a few kilobytes; the number of pending handshakes and their duration are bounded
 * ({@link PendingHandshakes}). Unauthenticated connections are invisible to the caller of {@link #accept}.
 *
 * <p>Threads: a dedicated thread accepts connections; each connection has its own thread during the handshake.
 */
final class AuthenticatingServerSocket extends SSLServerSocket
{
    /** The only permitted version. */
    static final String PROTOCOL = "TLSv1.3";
    /** A member needs a few milliseconds; on a loaded host it can take much longer. */
    static final int HANDSHAKE_MS = 10_000;
    /** Per connection. Ignite allocates the same amount for sending and for receiving. */
    static final int BUFFER_BYTES = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(AuthenticatingServerSocket.class);
    private static final long PAUSE_MS = 100;
    private static final long LOGGED = 10;

    private final String member;
    private final SSLSocketFactory factory;
    private final PendingHandshakes unproven = new PendingHandshakes(PendingHandshakes.MOST);
    private final BlockingQueue<Socket> proven = new LinkedBlockingQueue<>();
    private long turnedAway;

    AuthenticatingServerSocket(final String member, final SSLSocketFactory factory, final int port, final int backlog,
        final InetAddress address) throws IOException
    {
        this.member = member;
        this.factory = factory;
        setReceiveBufferSize(BUFFER_BYTES);
        try
        {
            bind(new InetSocketAddress(address, port), backlog);
        }
        catch (final IOException e)
        {
            close();
            throw e;
        }
        start(this::takeAll, "millrace-discovery-" + port);
    }

    private static void start(final Runnable work, final String name)
    {
        final Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void takeAll()
    {
        while (!isClosed())
        {
            try
            {
                final Socket stranger = super.accept();
                unproven.add(stranger);
                start(() -> prove(stranger), "millrace-stranger-" + stranger.getPort());
            }
            catch (final IOException | OutOfMemoryError e)
            {
                // File descriptors or threads may be exhausted temporarily; retry after a pause.
                if (!isClosed())
                {
                    LOG.warn("CLU-0013 connections of other members cannot be accepted, port={} reason={}; retrying "
                        + "in {} ms, check the open files and threads of this process", getLocalPort(),
                        e.toString(), PAUSE_MS);
                    pause();
                }
            }
        }
    }

    private static void pause()
    {
        try
        {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void prove(final Socket stranger)
    {
        try
        {
            stranger.setSoTimeout(HANDSHAKE_MS);
            stranger.setSendBufferSize(BUFFER_BYTES);
            final SSLSocket secure = (SSLSocket)factory.createSocket(stranger, null, true);
            secure.setUseClientMode(false);
            secure.setNeedClientAuth(true);
            secure.startHandshake();
            // Ask for the session again: TLS 1.3 has verified the peer's certificate by now.
            secure.getSession().getPeerCertificates();
            if (unproven.remove(stranger))
            {
                stranger.setSoTimeout(0);
                proven.add(secure);
                if (isClosed())
                {
                    closeProven();
                }
            }
        }
        catch (final IOException | RuntimeException e)
        {
            final boolean hadPlace = unproven.remove(stranger);
            PendingHandshakes.close(stranger);
            tell(stranger, hadPlace ? e.toString() : "evicted in favor of a newer connection");
        }
    }

    private synchronized void tell(final Socket stranger, final String reason)
    {
        turnedAway++;
        if (isClosed() || turnedAway > LOGGED)
        {
            LOG.debug("a connection to the discovery port was rejected, from={} reason={}",
                stranger.getRemoteSocketAddress(), reason);
            return;
        }
        LOG.warn("CLU-0011 a connection to a port of the cluster was rejected, member={} port=discovery from={} "
            + "reason={}; only members, which have the secret of the domain, may connect{}", member,
            stranger.getRemoteSocketAddress(), reason,
            turnedAway < LOGGED ? "" : ", further rejections are logged at debug level only");
    }

    /** Waits for a connection that has authenticated. */
    @Override
    public Socket accept() throws IOException
    {
        final int timeoutMs = getSoTimeout();
        try
        {
            final long waitMs = timeoutMs == 0 ? PAUSE_MS : timeoutMs;
            while (!isClosed())
            {
                final Socket next = proven.poll(waitMs, TimeUnit.MILLISECONDS);
                if (next != null)
                {
                    return next;
                }
                if (timeoutMs != 0)
                {
                    throw new SocketTimeoutException("no member connected in time, timeoutMs=" + timeoutMs);
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw new SocketException("Socket closed");
    }

    private void closeProven()
    {
        for (Socket next = proven.poll(); next != null; next = proven.poll())
        {
            PendingHandshakes.close(next);
        }
    }

    @Override
    public void close() throws IOException
    {
        super.close();
        unproven.closeAll();
        closeProven();
    }

    @Override
    public String[] getEnabledCipherSuites()
    {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(final String[] suites)
    {
        throw fixed();
    }

    @Override
    public String[] getSupportedCipherSuites()
    {
        return factory.getSupportedCipherSuites();
    }

    @Override
    public String[] getSupportedProtocols()
    {
        return getEnabledProtocols();
    }

    @Override
    public String[] getEnabledProtocols()
    {
        return new String[] {PROTOCOL};
    }

    @Override
    public void setEnabledProtocols(final String[] protocols)
    {
        throw fixed();
    }

    @Override
    public void setNeedClientAuth(final boolean need)
    {
        if (!need)
        {
            throw fixed();
        }
    }

    @Override
    public boolean getNeedClientAuth()
    {
        return true;
    }

    @Override
    public void setWantClientAuth(final boolean want)
    {
        throw fixed();
    }

    @Override
    public boolean getWantClientAuth()
    {
        return false;
    }

    @Override
    public void setUseClientMode(final boolean isClient)
    {
        if (isClient)
        {
            throw fixed();
        }
    }

    @Override
    public boolean getUseClientMode()
    {
        return false;
    }

    @Override
    public void setEnableSessionCreation(final boolean enable)
    {
        if (!enable)
        {
            throw fixed();
        }
    }

    @Override
    public boolean getEnableSessionCreation()
    {
        return true;
    }

    private static UnsupportedOperationException fixed()
    {
        return new UnsupportedOperationException("members authenticate with " + PROTOCOL +
            " and certificates on both sides; this cannot be changed");
    }
}
