package dev.millrace.command.instance;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The ports of an instance.
 *
 * @param netio    management endpoint, TCP
 * @param loadgen  events of the load generator, TCP
 * @param timesync clock exchange, UDP
 */
public record Ports(int netio, int loadgen, int timesync)
{
    /** The ports that the files of a domain must set. */
    static final List<String> NAMES = List.of("netio", "loadgen", "timesync");

    /**
     * Finds three different ports of the loopback interface that are not in use and not ephemeral.
     *
     * @throws IOException when sockets cannot be closed
     */
    public static Ports free() throws IOException
    {
        return free(1).get(0);
    }

    /**
     * Finds different ports for several instances.
     *
     * @return ports of each instance
     * @throws IOException when sockets cannot be closed
     */
    public static List<Ports> free(final int count) throws IOException
    {
        final int first = FreePorts.range(count * NAMES.size());
        return IntStream.range(0, count).map(i -> first + i * NAMES.size())
            .mapToObj(port -> new Ports(port, port + 1, port + 2)).toList();
    }

    /** Selects the three ports of a domain; a missing one becomes 0. */
    static Ports of(final List<NamedPort> ports)
    {
        return new Ports(number(ports, "netio"), number(ports, "loadgen"), number(ports, "timesync"));
    }

    private static int number(final List<NamedPort> ports, final String name)
    {
        return ports.stream().filter(port -> name.equals(port.name())).mapToInt(NamedPort::number).findFirst()
            .orElse(0);
    }

    /** Replaces the port with this name; a port with another name is unchanged. */
    NamedPort replace(final NamedPort port)
    {
        return switch (port.name())
        {
            case "netio" -> new NamedPort("netio", netio);
            case "loadgen" -> new NamedPort("loadgen", loadgen);
            case "timesync" -> new NamedPort("timesync", timesync);
            default -> port;
        };
    }

    /** Returns a list in the order of the components. */
    List<NamedPort> list()
    {
        return List.of(
            new NamedPort("netio", netio), new NamedPort("loadgen", loadgen), new NamedPort("timesync", timesync));
    }
}
