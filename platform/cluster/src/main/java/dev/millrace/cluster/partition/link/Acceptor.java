package dev.millrace.cluster.partition.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections from a server socket until it is closed, on its own thread. Thread-safe. */
public final class Acceptor implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MS = 1000;

    private final ServerSocket socket;
    private final String member;
    private final Consumer<Socket> taker;
    private final EventCount closing = new EventCount();
    private volatile boolean isClosed;

    /**
     * Creates an acceptor; {@link #run} accepts.
     *
     * @param socket listening; closed by {@link #close}
     * @param member name of this member, for messages
     * @param taker  receives each connection, which is closed if it throws; must not block
     */
    public Acceptor(final ServerSocket socket, final String member, final Consumer<Socket> taker)
    {
        this.socket = socket;
        this.member = member;
        this.taker = taker;
    }

    public int port()
    {
        return socket.getLocalPort();
    }

    public InetAddress address()
    {
        return socket.getInetAddress();
    }

    /** Accepts connections until {@link #close} is called. */
    public void run()
    {
        while (!isClosed)
        {
            final long seen = closing.count();
            try
            {
                give(socket.accept());
            }
            // The missing resource is usually a file descriptor, sometimes a thread. Retry later instead of
            // immediately.
            catch (final IOException | RuntimeException | OutOfMemoryError e)
            {
                if (!isClosed)
                {
                    LOG.warn("CLU-0411 connections of other members cannot be accepted, member={} reason={}; retrying "
                        + "in a second, check the open files and the threads of this process", member,
                        e.toString(), e);
                    closing.await(seen, PAUSE_MS);
                }
            }
        }
    }

    private void give(final Socket taken)
    {
        boolean isGiven = false;
        try
        {
            taker.accept(taken);
            isGiven = true;
        }
        finally
        {
            if (!isGiven)
            {
                Handshake.close(taken);
            }
        }
    }

    /** Stops accepting and closes the server socket. Accepted connections are not affected. */
    @Override
    public void close()
    {
        isClosed = true;
        closing.raise();
        try
        {
            socket.close();
        }
        catch (final IOException e)
        {
            LOG.debug("the socket of the links did not close cleanly, member={}", member, e);
        }
    }
}
