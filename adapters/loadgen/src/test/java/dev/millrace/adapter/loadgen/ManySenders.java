package dev.millrace.adapter.loadgen;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that opens many connections to a data port, sends a frame on each, and then continues to send on a few of
 * them until its standard input ends. It is a separate process, because each connection uses a file handle on both
 * sides.
 */
final class ManySenders
{
    private ManySenders()
    {
    }

    /** Arguments: port, idle connections, active connections. */
    public static void main(final String... arguments) throws IOException
    {
        final int port = Integer.parseInt(arguments[0]);
        final int idle = Integer.parseInt(arguments[1]);
        final int active = Integer.parseInt(arguments[2]);
        final List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < idle + active; i++)
        {
            final SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channels.add(channel);
            send(channel, WireFormat.preamble(RunningAdapter.PAIR));
            send(channel, RunningAdapter.frame("S", i));
        }
        final byte[] frame = RunningAdapter.frame("ACTIVE", 1, 2, 3);
        while (System.in.available() == 0)
        {
            for (final SocketChannel channel : channels.subList(idle, idle + active))
            {
                send(channel, frame);
            }
        }
    }

    private static void send(final SocketChannel channel, final byte[] bytes) throws IOException
    {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining())
        {
            channel.write(buffer);
        }
    }
}
