package dev.millrace.command.instance;

import java.io.IOException;
import java.util.List;

/**
 * The ports of an instance.
 *
 * @param netio    management endpoint, TCP
 * @param loadgen  events of the load generator, TCP
 * @param timesync clock exchange, UDP
 */
public record Ports(int netio, int loadgen, int timesync)
{
    /** What the files of a domain must set. */
    static final List<String> NAMES = List.of("netio", "loadgen", "timesync");

    /**
     * Finds ports that nobody uses at this moment and that no connection is given later.
     *
     * @return three different free ports of the loopback interface
     * @throws IOException when sockets cannot be closed
     */
    public static Ports free() throws IOException
    {
        return FreePorts.ofInstances(1).get(0);
    }

    /** The three among the ports of a domain; 0 for one that is not there. */
    static Ports of(final List<NamedPort> ports)
    {
        return new Ports(number(ports, "netio"), number(ports, "loadgen"), number(ports, "timesync"));
    }

    private static int number(final List<NamedPort> ports, final String name)
    {
        return ports.stream().filter(port -> name.equals(port.name())).mapToInt(NamedPort::number).findFirst()
            .orElse(0);
    }

    /**
     * Puts the port of this name in place of another; one that has none here stays.
     */
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

    /** As a list, in the order of the components. */
    List<NamedPort> list()
    {
        return List.of(
            new NamedPort("netio", netio), new NamedPort("loadgen", loadgen), new NamedPort("timesync", timesync));
    }
}
