package dev.millrace.server.config;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.secret.SecretKeys;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.PatternAttempts;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.server.config.ServerConfiguration.WorkManagerSettings;
import dev.millrace.server.spi.ClusterConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@code config.xml} of OEP and Millrace domains. Supported elements are used; known harmless elements are listed
 * as not used; elements that would change the behavior and unknown elements are rejected. Not thread-safe; used once.
 */
public final class ServerConfigurationReader
{
    /** Namespaces of the root element: OEP's and Millrace's. */
    public static final Set<String> NAMESPACES =
        Set.of("http://www.bea.com/ns/wlevs/config/server", "https://millrace.dev/ns/config/server");

    private static final Set<String> NOT_USED_YET = Set.of(
        "rmi", "jndi-context", "exported-jndi-context", "jmx", "transaction-manager", "logging-service", "log-stdout",
        "log-file", "jetty-web-app", "glassfish-ws", "netio-client", "debug",
        "weblogic-rmi-client", "weblogic-jta-gateway", "show-detail-error-message", "event-inspector");

    private static final int MAX_WORKERS = 64;

    private static final int MAX_THREADS = 1_000;

    private final Path directory;

    private final ConfigurationProblems problems;

    private final NetworkReader network;

    private final Map<String, WorkManagerSettings> workManagers = new LinkedHashMap<>();

    private final List<DataSourceSettings> dataSources = new ArrayList<>();

    private final DataSourceReader dataSourceReader;

    private final Map<String, String> secrets = new LinkedHashMap<>();

    private String domainName = "millrace";

    private int defaultWorkers = 1;

    private Duration idleStateTime = DurationFormat.NONE;
    private int maxAttempts = PatternAttempts.DEFAULT;

    private DurabilitySettings durability;

    private long memoryBytes = MemoryBudget.defaultBytes(Runtime.getRuntime().maxMemory());

    private boolean warmUp = true;

    private final EventStoreReader eventStoreReader;

    private final PubSubReader pubSubReader;

    /** {@code null} if the file declares none. */
    private EventStoreSettings eventStore;
    private XmlElement eventTables;

    private BundleTrust bundleTrust = BundleTrust.OPTIONAL;

    private ClusterConfiguration cluster;

    private ServerConfigurationReader(final Path file)
    {
        directory = file.getParent();
        problems = new ConfigurationProblems(name ->
            System.getProperty(name) == null ? System.getenv(name) : System.getProperty(name),
            directory.resolveSibling(SecretKeys.FILE));
        network = new NetworkReader(file, problems);
        dataSourceReader = new DataSourceReader(problems);
        pubSubReader = new PubSubReader(problems);
        eventStoreReader = new EventStoreReader(directory.toAbsolutePath().getParent(), problems);
    }

    /**
     * Reads the file of a domain.
     *
     * @throws DeploymentException with all problems
     */
    public static ServerConfiguration read(final Path domain) throws DeploymentException
    {
        final Path path = domain.resolve("config").resolve("config.xml");
        try (InputStream in = Files.newInputStream(path))
        {
            return new ServerConfigurationReader(path).read(XmlElement.read(in, path.toString()));
        }
        catch (final NoSuchFileException e)
        {
            throw new DeploymentException(List.of(new Problem("SRV-0101", new SourcePosition(path.toString(), 0, 0),
                "file is missing", "a domain directory contains config/config.xml; copy it from defaultserver", "")),
                e);
        }
        catch (final IOException e)
        {
            throw new DeploymentException(List.of(new Problem("SRV-0101", new SourcePosition(path.toString(), 0, 0),
                "file cannot be read, reason=" + e, "the user that starts the instance must be able to read it", "")),
                e);
        }
    }

    private ServerConfiguration read(final XmlElement root) throws DeploymentException
    {
        if (!root.name().equals("config") || !NAMESPACES.contains(root.namespace()))
        {
            throw new DeploymentException("SRV-0102", root.position(), "not a server configuration, element="
                + root.name() + " namespace=" + root.namespace(),
                "the root is config in namespace http://www.bea.com/ns/wlevs/config/server");
        }
        for (final XmlElement child : root.children())
        {
            read(root, child);
        }
        if (eventTables != null)
        {
            // It refers to data sources, which may follow it.
            eventStore = eventStoreReader.readTables(eventTables, dataSources);
        }
        final ServerConfiguration configuration = new ServerConfiguration(domainName, network.plain(),
            network.secure(), network.eventServers(), pubSubReader.servers(), workManagers, httpWorkManager(),
            defaultWorkers, idleStateTime, maxAttempts, durability, memoryBytes, warmUp, dataSources,
            new ConfiguredSecrets(secrets), bundleTrust, cluster, eventStore, problems.notUsed());
        if (problems.size() > 0)
        {
            throw new DeploymentException(problems.all());
        }
        return configuration;
    }

    private void read(final XmlElement root, final XmlElement element)
    {
        if (!element.namespace().isEmpty() && !element.namespace().equals(root.namespace()))
        {
            problems.addUnknown(element);
            return;
        }
        switch (element.name())
        {
            case "domain" -> domainName = readDomain(element);
            case "netio" -> network.readNetio(element);
            case "jetty" -> network.readJetty(element);
            case "ssl" -> network.readSsl(element);
            case "http-pubsub" -> pubSubReader.read(element);
            case "work-manager" -> readWorkManager(element);
            case "cql" -> readCql(element);
            case "durability" -> durability = new DurabilityReader(problems).read(element);
            case "memory" -> memoryBytes =
                new MemoryReader(Runtime.getRuntime().maxMemory(), problems).read(element);
            case "data-source" ->
            {
                final DataSourceSettings settings = dataSourceReader.read(element);
                if (settings != null)
                {
                    dataSources.add(settings);
                }
            }
            case "secret" -> readSecret(element);
            case "event-store" -> eventStore = eventStoreReader.read(element);
            case "rdbms-event-store-provider" ->
            {
                eventStoreReader.once(element);
                eventTables = element;
            }
            case "bdb-config", "user-event-store-provider" -> eventStoreReader.refuse(element);
            case "bundles" -> bundleTrust = new BundleTrustReader(directory, problems).read(element);
            case "cluster" -> cluster = new ClusterReader(directory, problems).read(element);
            case "use-secure-connections" -> readUseSecureConnections(element);
            default ->
            {
                if (NOT_USED_YET.contains(element.name()))
                {
                    problems.addNotUsed(element);
                }
                else
                {
                    problems.addUnknown(element);
                }
            }
        }
    }

    private String readDomain(final XmlElement element)
    {
        String name = domainName;
        for (final XmlElement child : element.children())
        {
            if (child.name().equals("name") && !child.text().isEmpty())
            {
                name = child.text();
            }
            else
            {
                problems.addUnknown(child);
            }
        }
        return name;
    }

    private void readWorkManager(final XmlElement element)
    {
        String name = ServerConfiguration.DEFAULT_WORK_MANAGER;
        int min = 0;
        int max = WorkManagerSettings.DEFAULT_MAX_THREADS;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text();
                case "min-threads-constraint" -> min = problems.number(child, 0, MAX_THREADS, min);
                case "max-threads-constraint" -> max = problems.number(child, 1, MAX_THREADS, max);
                case "fairshare" -> problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
        if (workManagers.put(name, new WorkManagerSettings(name, min, Math.max(min, max))) != null)
        {
            problems.add("SRV-0104", element, "two work-manager elements have the same name, name=" + name,
                "rename one");
        }
    }

    private void readSecret(final XmlElement element)
    {
        String name = "";
        XmlElement value = null;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text();
                case "value" -> value = child;
                default -> problems.addUnknown(child);
            }
        }
        if (name.isEmpty() || value == null || value.text().isEmpty())
        {
            problems.add("SRV-0135", element, "a secret has no name or no value, name=" + name,
                "use <name>...</name><value>{AES}...</value>; millrace secret encrypt prints the value");
        }
        else if (secrets.put(name, problems.resolved(value)) != null)
        {
            problems.add("SRV-0104", element, "two secret elements have the same name, name=" + name, "rename one");
        }
    }

    private void readCql(final XmlElement element)
    {
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "workers" -> defaultWorkers = problems.number(child, 1, MAX_WORKERS, defaultWorkers);
                case "idle-state-time" -> idleStateTime = readIdleStateTime(child);
                case "max-attempts" -> maxAttempts = problems.number(child, 1, PatternAttempts.MOST, maxAttempts);
                case "warm-up" -> warmUp = problems.truth(child, warmUp);
                default -> problems.addUnknown(child);
            }
        }
    }

    private Duration readIdleStateTime(final XmlElement element)
    {
        final Duration time = DurationFormat.parse(element.text());
        if (time == null)
        {
            problems.add("SRV-0153", element, "invalid idle state time, idle-state-time=" + element.text(),
                "use " + DurationFormat.FORM);
        }
        return time == null ? idleStateTime : time;
    }

    private void readUseSecureConnections(final XmlElement element)
    {
        final String value = element.child("value").map(XmlElement::text).orElse(element.text());
        if (Boolean.parseBoolean(value))
        {
            problems.add("SRV-0107", element, "connections of the domain cannot be made secure here, element=" +
                element.name(), "set it to false; configure secure ports with ssl and secure-network-io-name, and the"
                    + " secret of the domain for connections between members");
        }
    }

    private String httpWorkManager()
    {
        workManagers.computeIfAbsent(ServerConfiguration.DEFAULT_WORK_MANAGER,
            name -> new WorkManagerSettings(name, 0, WorkManagerSettings.DEFAULT_MAX_THREADS));
        if (network.workManagerName() == null)
        {
            return ServerConfiguration.DEFAULT_WORK_MANAGER;
        }
        if (!workManagers.containsKey(network.workManagerName().text()))
        {
            problems.add("SRV-0103", network.workManagerName(),
                "no element with this name, element=work-manager name=" + network.workManagerName().text(),
                "work-manager elements: " + workManagers.keySet());
        }
        return network.workManagerName().text();
    }
}
