package dev.millrace.adapter.loadgen.timesync;

import dev.millrace.api.process.FileHandles;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answers clock exchanges on one UDP port with its own thread. Adapters with the same port share a responder, which
 * exists as long as any of them. Thread-safe. Stateless: invalid datagrams are ignored.
 */
public final class TimesyncResponder
{
    private static final Logger LOG = System.getLogger(TimesyncResponder.class.getName());
    private static final Map<InetSocketAddress, TimesyncResponder> OPEN = new HashMap<>();

    /** The thread ends as soon as its channel is closed; the limit matters only on a stalled machine. */
    private static final long END_MS = 5_000;

    private final InetSocketAddress address;
    private final DatagramChannel channel;
    private final Clock clock;
    private final Thread thread;
    private final AtomicLong requests = new AtomicLong();
    private int users;

    /** Thrown when the port cannot be opened. */
    public static final class PortException extends IOException
    {
        private static final long serialVersionUID = 1L;

        PortException(final String message, final IOException cause)
        {
            super(message, cause);
        }
    }

    private TimesyncResponder(final InetSocketAddress address, final Clock clock) throws PortException
    {
        this.address = address;
        this.clock = clock;
        thread = new Thread(this::serve, "timesync-" + address.getPort());
        thread.setDaemon(true);
        DatagramChannel opened = null;
        try
        {
            opened = DatagramChannel.open();
            channel = opened.bind(address);
        }
        catch (final IOException ex)
        {
            close(opened, ex);
            throw new PortException("LDG-0102 clock exchange port cannot be opened, host=" + address.getHostString() +
                " timesync.port=" + address.getPort() + " cause=" + ex.getMessage() +
                "; " + FileHandles.hint(ex,
                    "stop the process that uses it or set another timesync.port for this server"), ex);
        }
    }

    private static void close(final DatagramChannel channel, final IOException cause)
    {
        try
        {
            if (channel != null)
            {
                channel.close();
            }
        }
        catch (final IOException ex)
        {
            cause.addSuppressed(ex);
        }
    }

    /**
     * Returns the responder of a port, opening it for its first user.
     *
     * @param host  address to listen on
     * @param port  UDP port
     * @param clock of the server
     * @return responder, which the caller must release
     * @throws PortException if the port cannot be opened
     */
    public static TimesyncResponder acquire(final String host, final int port, final Clock clock) throws PortException
    {
        final InetSocketAddress address = new InetSocketAddress(host, port);
        synchronized (OPEN)
        {
            TimesyncResponder responder = OPEN.get(address);
            if (responder == null)
            {
                responder = new TimesyncResponder(address, clock);
                OPEN.put(address, responder);
                responder.thread.start();
            }
            responder.users++;
            return responder;
        }
    }

    /**
     * Releases the responder. The last user closes it, and the port is free when this returns.
     *
     * @throws IOException if closing fails
     */
    public void release() throws IOException
    {
        synchronized (OPEN)
        {
            users--;
            if (users == 0)
            {
                OPEN.remove(address);
                channel.close();
                awaitEnd();
            }
        }
    }

    /** The operating system keeps the port bound until the thread has left its system call. */
    private void awaitEnd()
    {
        try
        {
            thread.join(END_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Number of valid requests so far. */
    public long requests()
    {
        return requests.get();
    }

    private void serve()
    {
        final ByteBuffer datagram = ByteBuffer.allocateDirect(Timesync.BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        while (channel.isOpen())
        {
            try
            {
                datagram.clear();
                final SocketAddress asker = channel.receive(datagram);
                answer(datagram, asker, clock.epochNs());
            }
            catch (final AsynchronousCloseException closed)
            {
                return;
            }
            catch (final ClosedChannelException closed)
            {
                return;
            }
            catch (final IOException ex)
            {
                LOG.log(Level.DEBUG, "clock exchange failed, address=" + address, ex);
            }
        }
    }

    private void answer(final ByteBuffer datagram, final SocketAddress asker, final long arrivedNs) throws IOException
    {
        datagram.flip();
        if (datagram.limit() != Timesync.BYTES || datagram.getInt(0) != Timesync.MAGIC ||
            datagram.get(Timesync.AT_VERSION) != Timesync.VERSION || datagram.get(Timesync.AT_KIND) != Timesync.REQUEST)
        {
            return;
        }
        requests.incrementAndGet();
        datagram.put(Timesync.AT_KIND, Timesync.ANSWER);
        datagram.putLong(Timesync.AT_ARRIVED, arrivedNs);
        datagram.putLong(Timesync.AT_ANSWERED, clock.epochNs());
        channel.send(datagram, asker);
    }
}
