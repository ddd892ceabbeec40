package dev.millrace.cluster.partition;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes connections from a socket until it is closed, on a thread of its own. Safe for all threads. */
final class Acceptor implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MS = 1000;

    private final ServerSocket socket;
    private final String member;
    private final Consumer<Socket> taker;
    private final Signal closing = new Signal();
    private volatile boolean isClosed;

    /**
     * Makes it; {@link #run} takes.
     *
     * @param socket that listens; closed by {@link #close}
     * @param member of whom
     * @param taker  of each connection, which is closed when it throws; must not wait
     */
    Acceptor(final ServerSocket socket, final String member, final Consumer<Socket> taker)
    {
        this.socket = socket;
        this.member = member;
        this.taker = taker;
    }

    int port()
    {
        return socket.getLocalPort();
    }

    InetAddress address()
    {
        return socket.getInetAddress();
    }

    /** Takes connections; returns when it is closed. */
    void run()
    {
        while (!isClosed)
        {
            final long seen = closing.count();
            try
            {
                give(socket.accept());
            }
            // What is lacking, mostly files, but threads as well, is not there again at once; it may be later.
            catch (final IOException | RuntimeException | OutOfMemoryError e)
            {
                if (!isClosed)
                {
                    LOG.warn("CLU-0411 connections of other members cannot be taken now, member={} reason={}; tried "
                        + "again in a second, look at the open files and the threads of this process", member,
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

    /** Ends it and its socket; what was taken goes on. */
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
