package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Finds loopback ports, TCP and UDP, that are not in use at this time. */
public final class FreePorts
{
    private static final int TRIES = 200;
    /** Below the ephemeral ports of Linux and Solaris, any of which may be used at any time. */
    private static final int LEAST = 12_000;
    private static final int MOST = 32_000;

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
    public static int range(final int count) throws IOException
    {
        for (int i = 0; i < TRIES; i++)
        {
            final int first = tryRange(count);
            if (first > 0)
            {
                return first;
            }
        }
        throw new CommandException(ExitCode.FAILED, "CMD-0184", "no consecutive free ports, count=" + count,
            "end processes that use many ports, or use fewer instances");
    }

    private static int tryRange(final int count) throws IOException
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        final List<Closeable> held = new ArrayList<>();
        try
        {
            final int first = ThreadLocalRandom.current().nextInt(LEAST, MOST - count);
            for (int i = 0; i < count; i++)
            {
                held.add(new ServerSocket(first + i, 1, loopback));
                held.add(new DatagramSocket(new InetSocketAddress(loopback, first + i)));
            }
            return first;
        }
        catch (final IOException taken)
        {
            return 0;
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
