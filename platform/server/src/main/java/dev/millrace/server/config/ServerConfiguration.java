package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.spi.ClusterConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What {@code config.xml} says, with defaults filled in. Immutable.
 *
 * @param domainName    name of the domain
 * @param management    where the management endpoint listens
 * @param workManagers  thread pools by name
 * @param httpWorkManager name of the pool that answers management requests
 * @param defaultWorkers  threads that share a PARTITION_ORDERED rule when its channel does not say
 * @param idleStateTime   how long keys that rules keep without end may be idle; zero when they are kept
 * @param maxAttempts     partial matches that a pattern may follow in a partition
 * @param memoryBytes     what the state of all applications may take together
 * @param warmUp          whether classes are loaded ahead of the first deployment
 * @param dataSources     connections to databases
 * @param secrets       decrypted, for adapters that name them
 * @param bundleTrust   whose signature bundles must bear
 * @param cluster       null when the instance runs alone
 * @param notUsedYet    known elements without an engine part, each with its line, for the log
 */
public record ServerConfiguration(
    String domainName,
    NetworkAddress management,
    Map<String, WorkManagerSettings> workManagers,
    String httpWorkManager,
    int defaultWorkers,
    Duration idleStateTime,
    int maxAttempts,
    long memoryBytes,
    boolean warmUp,
    List<DataSourceSettings> dataSources,
    ConfiguredSecrets secrets,
    BundleTrust bundleTrust,
    ClusterConfiguration cluster,
    List<String> notUsedYet)
{
    /** Port of the management endpoint when nothing is said, as in OEP. */
    public static final int DEFAULT_PORT = 9002;

    /** Name of the pool that is there even when the file names none. */
    public static final String DEFAULT_WORK_MANAGER = "default";

    /** Copies the collections. */
    public ServerConfiguration
    {
        workManagers = Map.copyOf(workManagers);
        dataSources = List.copyOf(dataSources);
        notUsedYet = List.copyOf(notUsedYet);
    }

    /**
     * A {@code netio} element.
     *
     * @param name     its name
     * @param host     loopback address or name of one
     * @param port     0 = any free port
     * @param position where the port is written
     */
    public record NetworkAddress(String name, String host, int port, SourcePosition position)
    {
    }

    /**
     * A {@code work-manager} element.
     *
     * @param name       its name
     * @param minThreads threads that are kept, at least 0
     * @param maxThreads threads at most, at least 1
     */
    public record WorkManagerSettings(String name, int minThreads, int maxThreads)
    {
        /** Threads of a work manager that does not say how many. */
        public static final int DEFAULT_MAX_THREADS = 4;
    }
}
