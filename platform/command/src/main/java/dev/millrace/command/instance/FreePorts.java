package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports of loopback, TCP and UDP, that nobody has at this moment. */
public final class FreePorts
{
    private static final int TRIES = 200;
    /** Below the ports that Linux and Solaris give to connections: one of those may go at any moment. */
    private static final int LEAST = 12_000;
    private static final int MOST = 32_000;

    private FreePorts()
    {
    }

    /**
     * Finds ports in a row.
     *
     * @param count how many, 10,000 at most
     * @return the first one
     * @throws IOException      when sockets cannot be closed
     * @throws CommandException when there are not so many in a row
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
        throw new CommandException(ExitCode.FAILED, "CMD-0184", "no free ports in a row, count=" + count,
            "end what uses many ports, or ask for fewer instances");
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

    /**
     * Finds ports for several instances, all different.
     *
     * @param count of instances
     * @return ports of each
     * @throws IOException when sockets cannot be closed
     */
    public static List<Ports> ofInstances(final int count) throws IOException
    {
        final int first = range(count * Ports.NAMES.size());
        return IntStream.range(0, count).map(i -> first + i * Ports.NAMES.size())
            .mapToObj(port -> new Ports(port, port + 1, port + 2)).toList();
    }
}
