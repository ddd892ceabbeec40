package dev.millrace.command.scaling;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of loopback that nobody has at this moment. */
final class FreePorts
{
    private static final int TRIES = 200;

    private FreePorts()
    {
    }

    /** The first of so many that follow each other. */
    static int range(final int count) throws IOException
    {
        for (int i = 0; i < TRIES; i++)
        {
            final int first = tryRange(count);
            if (first > 0)
            {
                return first;
            }
        }
        throw new CommandException(ExitCode.FAILED, "CMD-0160", "no free ports in a row, count=" + count,
            "end what uses many ports, or ask for fewer instances");
    }

    private static int tryRange(final int count) throws IOException
    {
        final List<ServerSocket> held = new ArrayList<>();
        try
        {
            held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            final int first = held.get(0).getLocalPort();
            for (int i = 1; i < count; i++)
            {
                held.add(new ServerSocket(first + i, 1, InetAddress.getLoopbackAddress()));
            }
            return first;
        }
        catch (final IOException | IllegalArgumentException taken)
        {
            return 0;
        }
        finally
        {
            for (final ServerSocket socket : held)
            {
                socket.close();
            }
        }
    }
}
