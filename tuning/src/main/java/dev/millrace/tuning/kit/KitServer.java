package dev.millrace.tuning.kit;

import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Receives events from clients over TCP: one thread waits for connections, and each connection has a thread that reads
 * available events, at most a batch at a time, and calls the engine. Closing ends all of them.
 */
final class KitServer implements AutoCloseable
{
    /** Small, so that few events wait outside of the measurement, and senders notice when the server falls behind. */
    static final int SOCKET_BUFFER_BYTES = 1 << 16;

    private static final int READ_BYTES = 1 << 16;
    private static final long END_MS = 5_000;

    private final MarketData data;
    private final KitStatistics statistics;
    private final ServerSocketChannel listener;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private KitEngine engine;
    private boolean isClosed;

    /**
     * Opens the port; clients wait until {@link #start}.
     *
     * @param host address of this machine
     * @param port 0 for any free one
     * @throws KitException when it cannot be opened
     */
    KitServer(final String host, final int port, final MarketData data, final KitStatistics statistics)
    {
        this.data = data;
        this.statistics = statistics;
        try
        {
            listener = ServerSocketChannel.open();
            listener.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
            listener.bind(new InetSocketAddress(host, port));
        }
        catch (final IOException | RuntimeException e)
        {
            throw new KitException(KitException.FAILED, "CMD-0174", "cannot open the port, host=" + host +
                " port=" + port + " reason=" + e.getMessage(),
                "stop the process that uses it, or choose another one with -port");
        }
    }

    /**
     * Accepts connections from now on.
     *
     * @param toUse receives the events
     */
    void start(final KitEngine toUse)
    {
        engine = toUse;
        start(this::accept, "kit-accept");
    }

    /** The port that is open. */
    int port()
    {
        return listener.socket().getLocalPort();
    }

    private synchronized void start(final Runnable work, final String name)
    {
        final Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void accept()
    {
        try
        {
            while (true)
            {
                final SocketChannel channel = listener.accept();
                synchronized (this)
                {
                    if (isClosed || channels.size() >= Rate.MOST_CLIENTS)
                    {
                        channel.close();
                        continue;
                    }
                    channels.add(channel);
                }
                start(() -> serve(channel), "kit-connection");
            }
        }
        catch (final ClosedChannelException closed)
        {
            // The end of the run.
            return;
        }
        catch (final IOException e)
        {
            fail("connections are no longer accepted, reason=" + e.getMessage());
        }
    }

    private void serve(final SocketChannel channel)
    {
        statistics.connections().incrementAndGet();
        try (channel)
        {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (greet(channel))
            {
                read(channel);
            }
        }
        catch (final ClosedChannelException closed)
        {
            // The end of the run, or of the client.
            return;
        }
        catch (final IOException e)
        {
            fail("a connection was lost, reason=" + e.getMessage());
        }
        finally
        {
            statistics.connections().decrementAndGet();
            synchronized (this)
            {
                channels.remove(channel);
            }
        }
    }

    /**
     * Sends the time until the client has enough answers; false when it is not a client of the kit, or has
     * disconnected.
     */
    private boolean greet(final SocketChannel channel)
    {
        try
        {
            Handshake.writeAll(channel, Handshake.hello(data));
            answer(channel);
            return true;
        }
        catch (final IOException e)
        {
            synchronized (this)
            {
                if (!isClosed)
                {
                    System.err.println("a connection was rejected before its first event, reason=" + e.getMessage());
                }
            }
            return false;
        }
    }

    private static void answer(final SocketChannel channel) throws IOException
    {
        final ByteBuffer question = ByteBuffer.allocate(1);
        final ByteBuffer reply = ByteBuffer.allocate(Long.BYTES);
        while (true)
        {
            Handshake.readAll(channel, question.clear());
            final byte asked = question.get(0);
            if (asked == Handshake.GO)
            {
                return;
            }
            if (asked != Handshake.ASK)
            {
                throw new IOException("not a client of the kit, byte=" + asked);
            }
            Handshake.writeAll(channel, reply.clear().putLong(System.nanoTime()).flip());
        }
    }

    private void read(final SocketChannel channel) throws IOException
    {
        final int eventBytes = data.eventBytes();
        final ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
        final EventBatch batch = engine.batch();
        while (channel.read(bytes) >= 0)
        {
            bytes.flip();
            while (bytes.remaining() >= eventBytes)
            {
                final int rows = Math.min(engine.batchRows(), bytes.remaining() / eventBytes);
                decode(bytes, batch, rows);
                engine.take(batch);
            }
            bytes.compact();
        }
        if (bytes.position() > 0)
        {
            fail("a client disconnected within an event, bytes=" + bytes.position());
        }
    }

    private void decode(final ByteBuffer bytes, final EventBatch batch, final int rows) throws IOException
    {
        final String[] tickers = batch.texts(MarketData.TICKER).writeStrings();
        final int[] volumes = batch.ints(MarketData.VOLUME);
        final double[] prices = batch.doubles(MarketData.PRICE);
        final long[] due = batch.useOrigins();
        final int eventBytes = data.eventBytes();
        for (int i = 0; i < rows; i++)
        {
            final int at = bytes.position();
            due[i] = bytes.getLong();
            prices[i] = bytes.getDouble();
            volumes[i] = bytes.getInt();
            final int symbol = data.symbolAt(bytes, bytes.position());
            if (symbol < 0)
            {
                throw new IOException("an event has an unknown ticker");
            }
            tickers[i] = engine.ticker(symbol);
            bytes.position(at + eventBytes);
        }
        batch.size(rows);
    }

    private synchronized void fail(final String what)
    {
        if (!isClosed)
        {
            failures.add(what);
        }
    }

    /** Failures so far. */
    synchronized List<String> failures()
    {
        return List.copyOf(failures);
    }

    /**
     * Waits until all clients have ended and everything that they sent is read.
     *
     * @param waitNs maximum
     * @return whether all have ended
     */
    boolean awaitClients(final long waitNs) throws InterruptedException
    {
        final long endNs = System.nanoTime() + waitNs;
        while (hasClients() && System.nanoTime() < endNs)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return !hasClients();
    }

    private synchronized boolean hasClients()
    {
        return !channels.isEmpty();
    }

    @Override
    public void close()
    {
        stop();
    }

    /** Stops listening and closes all connections; events that they have read are processed before it returns. */
    void stop()
    {
        final List<Thread> running;
        synchronized (this)
        {
            isClosed = true;
            running = List.copyOf(threads);
            channels.forEach(KitServer::close);
        }
        close(listener);
        for (final Thread thread : running)
        {
            try
            {
                thread.join(END_MS);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void close(final java.io.Closeable channel)
    {
        try
        {
            channel.close();
        }
        catch (final IOException ignored)
        {
            // Nothing is lost: the descriptor is closed in any case.
            return;
        }
    }
}
