package dev.millrace.command.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The minimal sender and receiver: one thread writes packets to several connections in turn, one write per packet;
 * another thread reads and counts bytes. Their rate is the limit of the machine.
 */
final class LoopbackBaseline implements AutoCloseable
{
    private static final int READ_BUFFER_BYTES = 1 << 18;

    private final int packetBytes;
    private final Selector selector = Selector.open();
    private final List<SocketChannel> senders = new ArrayList<>();
    private final List<SocketChannel> receivers = new ArrayList<>();
    private volatile boolean hasFinished;
    private volatile long bytesSent = Long.MAX_VALUE;

    LoopbackBaseline(final int connections, final int packetBytes) throws IOException
    {
        this.packetBytes = packetBytes;
        try (ServerSocketChannel server = ServerSocketChannel.open())
        {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < connections; i++)
            {
                final SocketChannel sender = SocketChannel.open(server.getLocalAddress());
                senders.add(sender);
                final SocketChannel receiver = server.accept();
                receivers.add(receiver);
                receiver.configureBlocking(false);
                receiver.register(selector, SelectionKey.OP_READ);
                sender.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
                sender.configureBlocking(false);
            }
        }
    }

    /** Returns packets per second, from the first write until the last byte was read. */
    double run(final int seconds) throws IOException, InterruptedException
    {
        final Thread sender = new Thread(() -> send(TimeUnit.SECONDS.toNanos(seconds)), "loopback-sender");
        hasFinished = false;
        bytesSent = Long.MAX_VALUE;
        final long startNs = System.nanoTime();
        sender.start();
        final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
        long bytesRead = 0;
        while (!hasFinished || bytesRead < bytesSent)
        {
            selector.select(100);
            for (final SelectionKey key : selector.selectedKeys())
            {
                buffer.clear();
                bytesRead += Math.max(0, ((SocketChannel)key.channel()).read(buffer));
            }
            selector.selectedKeys().clear();
        }
        final long elapsedNs = System.nanoTime() - startNs;
        sender.join();
        return bytesRead / (double)packetBytes * TimeUnit.SECONDS.toNanos(1) / elapsedNs;
    }

    private void send(final long lengthNs)
    {
        final ByteBuffer[] packets = new ByteBuffer[senders.size()];
        for (int i = 0; i < packets.length; i++)
        {
            packets[i] = ByteBuffer.allocateDirect(packetBytes);
        }
        final long endNs = System.nanoTime() + lengthNs;
        long sent = 0;
        try
        {
            while (System.nanoTime() < endNs)
            {
                for (int i = 0; i < packets.length; i++)
                {
                    sent += senders.get(i).write(packets[i]);
                    if (!packets[i].hasRemaining())
                    {
                        packets[i].clear();
                    }
                }
            }
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
        finally
        {
            bytesSent = sent;
            hasFinished = true;
        }
    }

    @Override
    public void close() throws IOException
    {
        for (final SocketChannel channel : senders)
        {
            channel.close();
        }
        for (final SocketChannel channel : receivers)
        {
            channel.close();
        }
        selector.close();
    }
}
