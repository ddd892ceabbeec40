package dev.millrace.cluster.partition.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Forwards between a sending and a receiving member, and can hold back the acknowledgements of the receiver. */
public final class AckRelay implements AutoCloseable
{
    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket listening = new ServerSocket(0, 8, InetAddress.getByName("127.0.0.1"));
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile int target;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    public AckRelay() throws IOException
    {
        start(this::accept);
    }

    /**
     * Forwards to a port from now on.
     *
     * @return the port of the relay
     */
    public int leadTo(final int port)
    {
        target = port;
        return listening.getLocalPort();
    }

    /** Holds back acknowledgements until {@link #letGo}. */
    public void hold()
    {
        gate = new CountDownLatch(1);
    }

    public void letGo()
    {
        gate.countDown();
    }

    private static void start(final Runnable work)
    {
        final Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept()
    {
        try
        {
            while (true)
            {
                final Socket from = listening.accept();
                final Socket to = new Socket("127.0.0.1", target);
                sockets.add(from);
                sockets.add(to);
                start(() -> copy(from, to, false));
                start(() -> copy(to, from, true));
            }
        }
        catch (final IOException e)
        {
            close();
        }
    }

    private void copy(final Socket from, final Socket to, final boolean isAnswer)
    {
        final byte[] bytes = new byte[BUFFER_BYTES];
        try
        {
            final InputStream in = from.getInputStream();
            final OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes))
            {
                if (isAnswer)
                {
                    gate.await();
                }
                out.write(bytes, 0, count);
            }
        }
        catch (final IOException e)
        {
            // One side has ended; the other side is closed below.
            Thread.yield();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        Handshake.close(from);
        Handshake.close(to);
    }

    @Override
    public void close()
    {
        letGo();
        try
        {
            listening.close();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
        sockets.forEach(Handshake::close);
    }
}
