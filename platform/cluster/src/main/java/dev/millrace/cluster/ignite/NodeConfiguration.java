package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ReplicatedBlobStore;
import dev.millrace.cluster.trust.ClusterTls;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.apache.ignite.Ignition;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.events.Event;
import org.apache.ignite.events.EventType;
import org.apache.ignite.lang.IgnitePredicate;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.multicast.TcpDiscoveryMulticastIpFinder;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/**
 * Configuration of an Ignite node: two listening sockets, both on the member's address; multicast only if configured;
 * no thin clients, no update check, little memory and few threads.
 */
final class NodeConfiguration
{
    /** Ignite reads these when its classes are initialized. */
    private static final Map<String, String> SYSTEM = Map.of("IGNITE_UPDATE_NOTIFIER", "false", "IGNITE_QUIET", "true",
        "IGNITE_NO_ASCII", "true", "IGNITE_PERFORMANCE_SUGGESTIONS_DISABLED", "true",
        "IGNITE_NO_SHUTDOWN_HOOK", "true", "IGNITE_MBEANS_DISABLED", "true",
        // Classes permitted in messages: Ignite's own and the JDK classes that it lists; no others.
        "IGNITE_MARSHALLER_WHITELIST", "META-INF/classnames-default-whitelist.properties",
        // The launcher sets a filter for the process; Ignite would fail to start if it also set one.
        "IGNITE_ENABLE_OBJECT_INPUT_FILTER_AUTOCONFIGURATION", "false");

    /**
     * The node ends when this limit is reached; memory is allocated as needed. Values need slightly more than their
     * size.
     */
    private static final long DATA_BYTES = (64L << 20) + ReplicatedBlobStore.MAX_TOTAL_BYTES * 3 / 2;
    private static final long SYSTEM_BYTES = 10L << 20;
    private static final long MAX_SYSTEM_BYTES = 20L << 20;
    private static final int THREADS = 2;

    private NodeConfiguration()
    {
    }

    /** Must be called before any other class of Ignite is used. */
    static void setSystemProperties()
    {
        SYSTEM.forEach((name, value) ->
        {
            if (System.getProperty(name) == null)
            {
                System.setProperty(name, value);
            }
        });
    }

    static IgniteConfiguration of(final ClusterSettings settings, final Runnable failed,
        final IgnitePredicate<? extends Event> listener, final int... events)
    {
        final UUID id = UUID.randomUUID();
        final IgniteConfiguration node = new IgniteConfiguration()
            .setIgniteInstanceName(settings.serverName() + '-' + id)
            .setUserAttributes(NodeAttributes.of(settings, id))
            .setWorkDirectory(settings.directory().toAbsolutePath().toString())
            .setLocalHost(settings.host())
            .setDiscoverySpi(discovery(settings))
            .setCommunicationSpi(communication(settings))
            .setConnectorConfiguration(null)
            .setClientConnectorConfiguration(null)
            .setPluginProviders(new JoinCheck(settings))
            .setIncludeEventTypes(EventType.EVT_CACHE_REBALANCE_STOPPED)
            .setFailureDetectionTimeout(settings.failureDetectionMs())
            .setFailureHandler(new NodeFailureHandler(failed))
            .setMetricsLogFrequency(0)
            .setPeerClassLoadingEnabled(false)
            .setClassLoader(Ignition.class.getClassLoader())
            .setDataStorageConfiguration(new DataStorageConfiguration()
                .setSystemDataRegionConfiguration(new org.apache.ignite.configuration.SystemDataRegionConfiguration()
                    .setInitialSize(SYSTEM_BYTES).setMaxSize(MAX_SYSTEM_BYTES))
                .setDefaultDataRegionConfiguration(new DataRegionConfiguration()
                    .setInitialSize(SYSTEM_BYTES).setMaxSize(DATA_BYTES)));
        node.setLocalEventListeners(Map.of(listener, events));
        setId(node, id);
        setThreads(node);
        final SSLContext tls = ClusterTls.context(settings);
        node.setSslContextFactory(() -> tls);
        return node;
    }

    /** The proof of a node contains its id. There is no replacement for this method of setting the id. */
    @SuppressWarnings("deprecation")
    private static void setId(final IgniteConfiguration node, final UUID id)
    {
        node.setNodeId(id);
    }

    private static void setThreads(final IgniteConfiguration node)
    {
        node.setPublicThreadPoolSize(THREADS).setSystemThreadPoolSize(THREADS).setStripedPoolSize(THREADS)
            .setServiceThreadPoolSize(THREADS).setQueryThreadPoolSize(THREADS).setManagementThreadPoolSize(THREADS)
            .setDataStreamerThreadPoolSize(THREADS).setRebalanceThreadPoolSize(1)
            .setAsyncCallbackPoolSize(THREADS);
    }

    private static TcpDiscoverySpi discovery(final ClusterSettings settings)
    {
        return new TcpDiscoverySpi().setLocalAddress(settings.host()).setLocalPort(settings.ports().discovery())
            .setLocalPortRange(settings.ports().count())
            .setIpFinder(finder(settings).setAddresses(settings.addresses()));
    }

    private static TcpDiscoveryVmIpFinder finder(final ClusterSettings settings)
    {
        final ClusterSettings.Multicast multicast = settings.multicast();
        if (multicast == null)
        {
            return new TcpDiscoveryVmIpFinder(false);
        }
        return new TcpDiscoveryMulticastIpFinder().setMulticastGroup(multicast.address())
            .setMulticastPort(multicast.port()).setLocalAddress(settings.host());
    }

    private static TcpCommunicationSpi communication(final ClusterSettings settings)
    {
        return new TcpCommunicationSpi().setLocalAddress(settings.host())
            .setLocalPort(settings.ports().communication()).setLocalPortRange(settings.ports().count())
            .setSelectorsCount(1);
    }
}
