package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds loopback ports, TCP and UDP, that are not in use at this time. No two processes find the same ports, although
 * some time passes until an instance binds them: each takes ports from separate blocks. Thread-safe.
 */
public final class FreePorts
{
    private static final int TRIES = 200;
    /** Below the ephemeral ports of Linux and Solaris, any of which may be used at any time. */
    private static final int LEAST = 12_000;
    private static final int MOST = 32_000;
    /** Size of a block. */
    private static final int BLOCK = 500;
    /** A port for each block, bound as long as the process that takes the block runs. */
    private static final int MARKERS = LEAST - (MOST - LEAST) / BLOCK;

    /** The markers of this process, which do not listen. */
    private static final List<Socket> TAKEN = new ArrayList<>();
    private static int next;
    private static int end;

    private FreePorts()
    {
    }

    /**
     * Finds consecutive ports.
     *
     * @param count at most 10,000
     * @return the first port
     * @throws IOException      when sockets cannot be closed
     * @throws CommandException when there are not enough consecutive free ports
     */
    public static synchronized int range(final int count) throws IOException
    {
        for (int i = 0; i < TRIES; i++)
        {
            if (next + count <= end || takeBlocks(count))
            {
                final int first = next;
                next += count;
                if (areFree(first, count))
                {
                    return first;
                }
            }
        }
        throw new CommandException(ExitCode.FAILED, "CMD-0184", "no consecutive free ports, count=" + count,
            "end processes that use many ports, or use fewer instances");
    }

    /** Takes as many consecutive blocks as contain a number of ports. */
    private static boolean takeBlocks(final int count) throws IOException
    {
        final int blocks = (count + BLOCK - 1) / BLOCK;
        final int first = ThreadLocalRandom.current().nextInt((MOST - LEAST) / BLOCK - blocks + 1);
        final List<Socket> markers = new ArrayList<>();
        try
        {
            for (int block = first; block < first + blocks; block++)
            {
                final Socket marker = new Socket();
                markers.add(marker);
                marker.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), MARKERS + block));
            }
        }
        catch (final IOException taken)
        {
            for (final Socket marker : markers)
            {
                marker.close();
            }
            return false;
        }
        TAKEN.addAll(markers);
        next = LEAST + first * BLOCK;
        end = next + blocks * BLOCK;
        return true;
    }

    private static boolean areFree(final int first, final int count) throws IOException
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        final List<Closeable> held = new ArrayList<>();
        try
        {
            for (int port = first; port < first + count; port++)
            {
                held.add(new ServerSocket(port, 1, loopback));
                held.add(new DatagramSocket(new InetSocketAddress(loopback, port)));
            }
            return true;
        }
        catch (final IOException taken)
        {
            return false;
        }
        finally
        {
            for (final Closeable socket : held)
            {
                socket.close();
            }
        }
    }
}
