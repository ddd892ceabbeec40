package dev.millrace.cluster.ignite;

import java.util.List;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** A plain Ignite node with the jars of a member: it claims to belong to the domain, but does not have the secret. */
public final class PlainNodeMain
{
    private static final int JOIN_MS = 8_000;

    private PlainNodeMain()
    {
    }

    /**
     * Tries to join, and prints the number of nodes that it sees.
     *
     * @param args first discovery port, whether it is a client
     */
    public static void main(final String[] args)
    {
        NodeConfiguration.setSystemProperties();
        final int port = Integer.parseInt(args[0]);
        final IgniteConfiguration node = new IgniteConfiguration()
            .setUserAttributes(Map.of("millrace.domain", "shop", "millrace.name", "stranger", "millrace.identity", 1,
                "millrace.host", "127.0.0.1", "millrace.groups", ""))
            .setLocalHost("127.0.0.1").setClientMode(Boolean.parseBoolean(args[1]))
            .setConnectorConfiguration(null).setClientConnectorConfiguration(null)
            .setCommunicationSpi(new TcpCommunicationSpi().setLocalPort(port + 100).setLocalPortRange(100))
            .setDiscoverySpi(new TcpDiscoverySpi().setLocalPort(port + TestPorts.COUNT).setJoinTimeout(JOIN_MS)
                .setIpFinder(new TcpDiscoveryVmIpFinder(true)
                    .setAddresses(List.of("127.0.0.1:" + port + ".." + (port + TestPorts.COUNT - 1)))));
        try (Ignite ignite = Ignition.start(node))
        {
            System.out.println("NODES " + ignite.cluster().nodes().size());
        }
        catch (final IgniteException e)
        {
            System.out.println("REFUSED " + e);
        }
        System.exit(0);
    }
}
