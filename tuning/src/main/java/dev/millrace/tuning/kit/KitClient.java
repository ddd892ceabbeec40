package dev.millrace.tuning.kit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Clients of a server: a connection and a thread each, which send market data at a pace. Created, started and closed by
 * one thread.
 */
final class KitClient implements AutoCloseable
{
    private static final int MOST_AT_A_TIME = 2_048;
    private static final long SEED = 20081104;
    private static final long END_MS = 5_000;

    private final MarketData data;
    private final Rate rate;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final List<Pacer> pacers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private ClockCheck clock = new ClockCheck(0, 0);

    /**
     * Connects.
     *
     * @param data symbols, the same number as the server has
     * @param rate number and pace of clients
     * @throws KitException when no server answers, or the server is not a kit server
     */
    KitClient(final String host, final int port, final MarketData data, final Rate rate)
    {
        this.data = data;
        this.rate = rate;
        try
        {
            for (int i = 0; i < rate.clients(); i++)
            {
                final SocketChannel channel = SocketChannel.open();
                channels.add(channel);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.setOption(StandardSocketOptions.SO_SNDBUF, KitServer.SOCKET_BUFFER_BYTES);
                channel.connect(new InetSocketAddress(host, port));
                // A server of another kind may wait for the client's first message.
                channel.socket().setSoTimeout((int)END_MS);
                greet(channel);
            }
        }
        catch (final IOException | UnresolvedAddressException e)
        {
            close();
            throw new KitException(KitException.NOT_FOUND, "CMD-0175", "no server of the kit answers, host=" + host +
                " port=" + port + " reason=" + (e.getMessage() == null ? "unknown host" : e.getMessage()),
                "start one with: millrace bench kit server -port " + port);
        }
        catch (final KitException e)
        {
            close();
            throw e;
        }
    }

    private void greet(final SocketChannel channel) throws IOException
    {
        final byte[] hello = channel.socket().getInputStream().readNBytes(Handshake.HELLO_BYTES);
        final ByteBuffer bytes = ByteBuffer.wrap(hello);
        if (hello.length < Handshake.HELLO_BYTES || bytes.getInt() != Handshake.MAGIC)
        {
            throw new IOException("the server there is not a server of the kit");
        }
        final int symbols = bytes.getInt();
        if (symbols != data.symbols())
        {
            throw new KitException(KitException.USAGE, "CMD-0176", "client and server have different symbols, client=" +
                data.symbols() + " server=" + symbols, "use the same -symbols for both");
        }
        clock = ClockCheck.ask(channel);
        Handshake.writeAll(channel, ByteBuffer.wrap(new byte[] {Handshake.GO}));
    }

    /** Whether this process and the server read the same clock. */
    ClockCheck clock()
    {
        return clock;
    }

    /**
     * Starts sending.
     *
     * @param lengthNs duration
     */
    void start(final long lengthNs)
    {
        final SplittableRandom seeds = new SplittableRandom(SEED);
        for (final SocketChannel channel : channels)
        {
            final Pacer pacer = new Pacer(rate, MOST_AT_A_TIME);
            final SplittableRandom random = seeds.split();
            pacers.add(pacer);
            final Thread thread = new Thread(() -> send(channel, pacer, random, lengthNs), "kit-client");
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void send(final SocketChannel channel, final Pacer pacer, final SplittableRandom random,
        final long lengthNs)
    {
        final byte[] tickers = data.tickers();
        final ByteBuffer bytes = ByteBuffer.allocateDirect(MOST_AT_A_TIME * data.eventBytes());
        final long offsetNs = clock.offsetNs();
        try (channel)
        {
            pacer.run(lengthNs, (dueNs, count) ->
            {
                bytes.clear();
                for (int i = 0; i < count; i++)
                {
                    data.write(bytes, dueNs[i] + offsetNs, random.nextLong(), tickers);
                }
                Handshake.writeAll(channel, bytes.flip());
            });
        }
        catch (final ClosedChannelException closed)
        {
            // Stopped by the caller.
            return;
        }
        catch (final IOException e)
        {
            synchronized (failures)
            {
                failures.add("the server closed the connection, reason=" + e.getMessage());
            }
        }
    }

    /** Failures so far. */
    List<String> failures()
    {
        synchronized (failures)
        {
            return List.copyOf(failures);
        }
    }

    /** Events sent so far. */
    long sent()
    {
        return pacers.stream().mapToLong(Pacer::sent).sum();
    }

    /** Whether any client still sends. */
    boolean isSending()
    {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    /** Stops sending; an event that is partly sent is completed. */
    void stop() throws InterruptedException
    {
        pacers.forEach(Pacer::stop);
        for (final Thread thread : threads)
        {
            thread.join(END_MS);
        }
    }

    @Override
    public void close()
    {
        pacers.forEach(Pacer::stop);
        for (final SocketChannel channel : channels)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ignored)
            {
                // The descriptor is closed in any case.
                continue;
            }
        }
    }
}
