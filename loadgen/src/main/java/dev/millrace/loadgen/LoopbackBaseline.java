package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.FrameWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Upper bound of what the machine can reach: a thread that writes one packet after the other, alternating between the
 * connections, and a thread that reads and discards everything. The baseline for generator and adapter,
 * and for instances. An object measures once; the calling thread sends.
 */
public final class LoopbackBaseline
{
    private static final int READ_BYTES = 128 << 10;

    private final int connectionCount;
    private final int ticksPerPacket;
    private volatile boolean isOver;
    private volatile long bytesRead;

    /**
     * @param connectionCount connections
     * @param ticksPerPacket  rows per packet
     */
    public LoopbackBaseline(final int connectionCount, final int ticksPerPacket)
    {
        this.connectionCount = connectionCount;
        this.ticksPerPacket = ticksPerPacket;
    }

    /** Returns events per second over the given time, from the first write until the last byte was read. */
    public double run(final double secs) throws IOException, InterruptedException
    {
        final ByteBuffer packet = ByteBuffer.allocateDirect(64 + 32 * ticksPerPacket);
        final FrameWriter writer = new FrameWriter(packet).begin(ticksPerPacket, System.nanoTime(), 0);
        for (int i = 0; i < ticksPerPacket; i++)
        {
            writer.char8("ORCL").float64(31.5 + i);
        }
        writer.end();
        packet.flip();
        final List<SocketChannel> senders = new ArrayList<>();
        try (ServerSocketChannel listener = ServerSocketChannel.open(); Selector selector = Selector.open())
        {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < connectionCount; i++)
            {
                final SocketChannel sender = SocketChannel.open(listener.getLocalAddress());
                sender.setOption(StandardSocketOptions.TCP_NODELAY, true);
                senders.add(sender);
                listener.accept().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            }
            final Thread receiver = new Thread(() -> receive(selector), "bare-receiver");
            receiver.start();
            final double eventsPerSec = send(senders, packet, secs);
            isOver = true;
            selector.wakeup();
            receiver.join();
            for (final SelectionKey key : selector.keys())
            {
                key.channel().close();
            }
            return eventsPerSec;
        }
        finally
        {
            for (final SocketChannel sender : senders)
            {
                sender.close();
            }
        }
    }

    private double send(final List<SocketChannel> senders, final ByteBuffer packet, final double secs)
        throws IOException
    {
        final int packetBytes = packet.remaining();
        final long startNs = System.nanoTime();
        final long endNs = startNs + (long)(secs * 1e9);
        long sent = 0;
        while (System.nanoTime() < endNs)
        {
            for (final SocketChannel sender : senders)
            {
                packet.rewind();
                while (packet.hasRemaining())
                {
                    sender.write(packet);
                }
                sent++;
            }
        }
        while (bytesRead < sent * packetBytes)
        {
            Thread.onSpinWait();
        }
        return sent * ticksPerPacket / ((System.nanoTime() - startNs) / 1e9);
    }

    private void receive(final Selector selector)
    {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        try
        {
            while (!isOver)
            {
                selector.select(key -> read(key, buffer), 0);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void read(final SelectionKey key, final ByteBuffer buffer)
    {
        try
        {
            buffer.clear();
            bytesRead = bytesRead + Math.max(0, ((SocketChannel)key.channel()).read(buffer));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
