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
    /** Size of a block; its first port is bound as long as the process that takes the others runs. */
    private static final int BLOCK = 500;

    /** The bound first ports, which do not listen. */
    private static final List<Socket> BLOCKS = new ArrayList<>();
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
            if (next + count <= end || takeBlock(Math.max(BLOCK, 1 + count)))
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

    private static boolean takeBlock(final int size) throws IOException
    {
        final int first = ThreadLocalRandom.current().nextInt(LEAST, MOST - size + 1) / BLOCK * BLOCK;
        final Socket socket = new Socket();
        try
        {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), first));
        }
        catch (final IOException taken)
        {
            socket.close();
            return false;
        }
        BLOCKS.add(socket);
        next = first + 1;
        end = first + size;
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
