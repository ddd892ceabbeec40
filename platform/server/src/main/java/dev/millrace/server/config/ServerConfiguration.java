package dev.millrace.server.config;

import dev.millrace.api.http.ChannelServer;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.server.spi.ClusterConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The content of {@code config.xml}, with defaults. Immutable.
 *
 * @param management      address of the management endpoint
 * @param secure          address of the management endpoint with TLS; null without one
 * @param eventServers    HTTP servers for events
 * @param channelServers  servers of publish-subscribe channels
 * @param workManagers    thread pools by name
 * @param httpWorkManager name of the pool for management requests
 * @param defaultWorkers  threads of a PARTITION_ORDERED rule unless its channel specifies a number
 * @param idleStateTime   how long unbounded state of an idle key is retained; zero for unlimited
 * @param maxAttempts     maximum partial matches of a pattern per partition
 * @param durability      how durable processors store their state; {@code null} for the defaults
 * @param memoryBytes     limit for the state of all applications together
 * @param warmUp          whether classes are loaded before the first deployment
 * @param dataSources     connections to databases
 * @param secrets         decrypted, for adapters that reference them
 * @param bundleTrust     whose signature bundles must have
 * @param cluster         null outside a cluster
 * @param eventStore      where events are recorded; null without one
 * @param notUsedYet      known elements without effect, each with its line, for the log
 */
public record ServerConfiguration(
    String domainName,
    NetworkAddress management,
    SecureAddress secure,
    List<EventServerSettings> eventServers,
    List<ChannelServer> channelServers,
    Map<String, WorkManagerSettings> workManagers,
    String httpWorkManager,
    int defaultWorkers,
    Duration idleStateTime,
    int maxAttempts,
    DurabilitySettings durability,
    long memoryBytes,
    boolean warmUp,
    List<DataSourceSettings> dataSources,
    ConfiguredSecrets secrets,
    BundleTrust bundleTrust,
    ClusterConfiguration cluster,
    EventStoreSettings eventStore,
    List<String> notUsedYet)
{
    /** Default port of the management endpoint, as in OEP. */
    public static final int DEFAULT_PORT = 9002;

    /** Default port of the management endpoint with TLS, as in OEP. */
    public static final int SECURE_PORT = 9003;

    /** Name of the pool that exists even if the file does not declare it. */
    public static final String DEFAULT_WORK_MANAGER = "default";

    public ServerConfiguration
    {
        eventServers = List.copyOf(eventServers);
        channelServers = List.copyOf(channelServers);
        workManagers = Map.copyOf(workManagers);
        dataSources = List.copyOf(dataSources);
        notUsedYet = List.copyOf(notUsedYet);
    }

    /**
     * A {@code netio} element.
     *
     * @param host     address or its name; of loopback unless the port has TLS
     * @param port     0 = any free port
     * @param position position of the port
     */
    public record NetworkAddress(String name, String host, int port, SourcePosition position)
    {
    }

    /**
     * A {@code netio} element with TLS.
     *
     * @param address host and port
     * @param tls     key and certificates
     */
    public record SecureAddress(NetworkAddress address, TlsSettings tls)
    {
    }

    /**
     * A {@code jetty} element with the purpose {@code events}.
     *
     * @param plain  port without TLS; {@code null} without one
     * @param secure port with TLS; {@code null} without one
     */
    public record EventServerSettings(String name, NetworkAddress plain, SecureAddress secure)
    {
    }

    /**
     * A {@code work-manager} element.
     *
     * @param minThreads threads kept alive, at least 0
     * @param maxThreads maximum threads, at least 1
     */
    public record WorkManagerSettings(String name, int minThreads, int maxThreads)
    {
        /** Default maximum threads of a work manager. */
        public static final int DEFAULT_MAX_THREADS = 4;
    }
}
