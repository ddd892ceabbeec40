package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterSettings.Multicast;
import dev.millrace.cluster.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.TcpDiscoveryIpFinder;
import org.apache.ignite.spi.discovery.tcp.ipfinder.multicast.TcpDiscoveryMulticastIpFinder;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Discovery configuration; nothing is sent here. */
@Timeout(60)
class NodeConfigurationTest
{
    private static TcpDiscoveryIpFinder finder(final Multicast multicast)
    {
        NodeConfiguration.setSystemProperties();
        final ClusterSettings settings = new ClusterSettings("shop", "one", Member.NO_IDENTITY, Set.of(), "192.0.2.7",
            List.of("192.0.2.8:48500"), ClusterSettings.Ports.DEFAULT, 10_000, null, Path.of("target"), multicast,
            TestPorts.SECRET);
        return ((TcpDiscoverySpi)NodeConfiguration.of(settings, () -> { }, event -> true).getDiscoverySpi())
            .getIpFinder();
    }

    @Test
    void shouldUseAddressesAloneUnlessMulticastIsAskedFor()
    {
        assertThat(finder(null)).isExactlyInstanceOf(TcpDiscoveryVmIpFinder.class);
    }

    @Test
    void shouldAskByMulticastFromTheAddressOfTheMemberAndKeepTheAddresses()
    {
        final TcpDiscoveryMulticastIpFinder finder =
            (TcpDiscoveryMulticastIpFinder)finder(new Multicast("239.255.0.1", 9_001));
        assertThat(finder.getMulticastGroup()).isEqualTo("239.255.0.1");
        assertThat(finder.getMulticastPort()).isEqualTo(9_001);
        assertThat(finder.getLocalAddress()).isEqualTo("192.0.2.7");
        assertThat(finder.isShared()).as("starts a cluster when no member responds").isTrue();
    }
}
