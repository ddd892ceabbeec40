package dev.millrace.server;

import dev.millrace.api.http.ChannelServers;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.EventServers;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.process.FileHandles;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.recording.JournalEventStore;
import dev.millrace.network.spi.EventStore;
import dev.millrace.server.audit.AuditLog;
import dev.millrace.server.audit.AuditedDeployments;
import dev.millrace.server.config.EventStoreSettings;
import dev.millrace.server.config.FileModes;
import dev.millrace.server.config.ServerConfiguration;
import dev.millrace.server.config.ServerConfigurationReader;
import dev.millrace.server.datasource.DataSources;
import dev.millrace.server.deployment.Deployer;
import dev.millrace.server.deployment.LocalDeploymentService;
import dev.millrace.server.eventstore.DatabaseEventStore;
import dev.millrace.server.eventstore.DatabaseSettings;
import dev.millrace.server.extender.ExtenderSettings;
import dev.millrace.server.extender.SpringExtender;
import dev.millrace.server.http.DeclaredEventServers;
import dev.millrace.server.http.ManagementEndpoint;
import dev.millrace.server.port.PortCheck;
import dev.millrace.server.recording.RecordingManagement;
import dev.millrace.server.spi.ClusterConfiguration;
import dev.millrace.server.spi.LocalDeployments;
import dev.millrace.server.spi.ServerInstance;
import dev.millrace.server.thread.WorkManagers;
import dev.millrace.server.warmup.WarmUp;
import dev.millrace.server.warmup.WarmUpTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.framework.wiring.BundleRevision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops the server. The start fails with a message when the configuration is invalid or the port is in use.
 * Applications are restored when the framework has started all bundles.
 */
public final class Activator implements BundleActivator
{
    private static final Logger LOG = LoggerFactory.getLogger(Activator.class);

    private static final String DOMAIN = "wlevs.domain.home";

    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(30);

    /** Maximum time a stop waits for the running warm-up trial; then it continues without waiting. */
    private static final long WARM_UP_END_NS = TimeUnit.SECONDS.toNanos(10);

    /** File handles needed by an instance with a few hundred connections. */
    private static final int FEW_HANDLES = 1_024;

    /** Maximum number of memory holders in the description; applications list all of theirs. */
    private static final int NAMED_HOLDERS = 10;

    private static final double MS_PER_SECOND = 1_000.0;

    private record Instance(String domainName, Path directory, ClusterConfiguration cluster) implements ServerInstance
    {
    }

    private final FrameworkListener started = this::frameworkStarted;

    /** Synchronous, so that applications that are starting are examined before anything stops. */
    private final SynchronousBundleListener stopping = this::frameworkStops;

    private BundleContext context;

    private Path domain;

    private ServerConfiguration configuration;

    private MemoryBudget memory;

    private WorkManagers workManagers;

    private Deployer deployer;

    private SpringExtender extender;

    private AuditLog audit;

    private ManagementEndpoint endpoint;

    private volatile String state = "STARTING";

    private DataSources dataSources;

    /** {@code null} unless events are recorded in a database. */
    private DatabaseEventStore eventTables;

    private Thread restoring;

    private volatile WarmUp warmUp = new WarmUp(List::of);

    @Override
    public void start(final BundleContext bundleContext) throws Exception
    {
        context = bundleContext;
        domain = domain();
        configuration = ServerConfigurationReader.read(domain);
        memory = new MemoryBudget(configuration.memoryBytes(), Clock.SYSTEM);
        FileModes.check(domain);
        PortCheck.run(configuration.management(), context::getProperty);
        final List<EventServer> eventServers = DeclaredEventServers.of(configuration.eventServers());
        if (!configuration.notUsedYet().isEmpty())
        {
            LOG.info("config.xml has elements without effect: {}",
                String.join(", ", configuration.notUsedYet()));
        }
        if (FileHandles.OF_PROCESS.limit() < FEW_HANDLES)
        {
            LOG.warn("SRV-0132 few file handles, limit={} wanted={}; {} are reserved for uses other than event senders,"
                + " raise the limit of open files (ulimit -n)", FileHandles.OF_PROCESS.limit(), FEW_HANDLES,
                FileHandles.RESERVED);
        }
        audit = openAudit();
        workManagers = new WorkManagers(configuration.workManagers());
        warmUp = new WarmUp(() -> configuration.warmUp() ? WarmUpTasks.of(context) : List.of());
        deployer = new Deployer(context, domain, configuration.bundleTrust());
        deployer.load();
        dataSources = new DataSources(context, configuration.dataSources());
        final EventStore eventStore = eventStore();
        try
        {
            endpoint = ManagementEndpoint.open(configuration.management(), configuration.secure(), domain,
                workManagers.pool(configuration.httpWorkManager()),
                new ServerManagement(deployer, new GroupDeploymentsTracker(context),
                    new RecordingManagement(eventStore), this::describe, this::shutdown),
                audit);
            Files.writeString(urlFile(), endpoint.url() + "\n");
        }
        catch (final DeploymentException | IOException | RuntimeException e)
        {
            stop(bundleContext);
            throw e;
        }
        note("server.start", "-");
        context.registerService(
            ServerInstance.class, new Instance(configuration.domainName(), domain, configuration.cluster()), null);
        context.registerService(
            LocalDeployments.class, new AuditedDeployments(new LocalDeploymentService(deployer), audit), null);
        context.registerService(NamedSecrets.class, configuration.secrets(), null);
        context.registerService(EventServers.class, () -> eventServers, null);
        context.registerService(ChannelServers.class, configuration::channelServers, null);
        extender = new SpringExtender(context, new ExtenderSettings(
            domain.resolve("config"), configuration.defaultWorkers(), configuration.idleStateTime(),
            configuration.maxAttempts(), configuration.durability(), memory, deployer.versions(),
            configuration.cluster() == null ? Set.of() : configuration.cluster().allGroups(), eventStore));
        context.addFrameworkListener(started);
        context.addBundleListener(stopping);
        if (context.getBundle(0).getState() == Bundle.ACTIVE)
        {
            // This bundle was updated or restarted separately.
            restore();
        }
    }

    private EventStore eventStore()
    {
        final EventStoreSettings settings = configuration.eventStore();
        if (settings != null && settings.tables() != null)
        {
            final EventStoreSettings.Tables tables = settings.tables();
            eventTables = new DatabaseEventStore(new DatabaseSettings(settings.name(), tables.prefix(),
                tables.batchSize(), tables.bufferBytes()), dataSources.pool(tables.dataSource()));
            return eventTables;
        }
        return settings == null ? null : new JournalEventStore(settings.name(), settings.directory(),
            settings.maxBytes(), settings.minFreeBytes(),
            () -> TimeUnit.NANOSECONDS.toMillis(Clock.SYSTEM.epochNs()));
    }

    private AuditLog openAudit() throws DeploymentException
    {
        final Path logs = domain.resolve("logs");
        try
        {
            return AuditLog.open(logs);
        }
        catch (final IOException e)
        {
            throw new DeploymentException("SRV-0133", new SourcePosition(logs.resolve("audit.log").toString(), 0, 0),
                "audit log cannot be opened, reason=" + e, "make the user that starts the instance its owner, and"
                    + " free disk space");
        }
    }

    private Path domain() throws DeploymentException
    {
        final String property = context.getProperty(DOMAIN);
        if (property == null)
        {
            throw new DeploymentException("SRV-0100", SourcePosition.NONE,
                "system property is missing, name=" + DOMAIN, "start with startwlevs.sh of a domain");
        }
        return Path.of(property).toAbsolutePath().normalize();
    }

    private Path urlFile()
    {
        return domain.resolve("var").resolve("management.url");
    }

    private void frameworkStarted(final FrameworkEvent event)
    {
        // An instance with a missing bundle must not start work; the launcher reports the bundle and ends the instance.
        if (event.getType() == FrameworkEvent.STARTED && hasAllBundles())
        {
            restore();
        }
    }

    private void frameworkStops(final BundleEvent event)
    {
        if (event.getType() == BundleEvent.STOPPING && event.getBundle().getBundleId() == 0)
        {
            deployer.instanceStops();
        }
    }

    private boolean hasAllBundles()
    {
        return Stream.of(context.getBundles()).allMatch(bundle ->
            (bundle.getState() & (Bundle.ACTIVE | Bundle.STARTING)) != 0 ||
            (bundle.adapt(BundleRevision.class).getTypes() & BundleRevision.TYPE_FRAGMENT) != 0);
    }

    private synchronized void restore()
    {
        if (restoring == null)
        {
            restoring = new Thread(this::restoreApplications, "millrace-restore");
            restoring.setDaemon(true);
            restoring.start();
        }
    }

    private void restoreApplications()
    {
        try
        {
            extender.open();
            deployer.restore(extender);
            deployer.awaitSettled(SETTLE_NS);
            state = "RUNNING";
            LOG.info("server RUNNING in {} s, management {}, TLS port {}, loadgen port {}, timesync port {}, "
                + "applications {}", secondsSinceStart(), endpoint.url(),
                endpoint.securePort() > 0 ? endpoint.securePort() : "-", property("loadgen.port"),
                property("timesync.port"), deployer.list().size());
            warmUp.begin();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static String secondsSinceStart()
    {
        final Instant start = ProcessHandle.current().info().startInstant().orElse(Instant.now());
        return String.format(Locale.ROOT, "%.1f", Duration.between(start, Instant.now()).toMillis() / MS_PER_SECOND);
    }

    private String property(final String name)
    {
        final String value = context.getProperty(name);
        return value == null ? "-" : value;
    }

    private Map<String, Object> describe()
    {
        final Map<String, Object> ports = new LinkedHashMap<>();
        ports.put("management", endpoint.port());
        if (endpoint.securePort() > 0)
        {
            ports.put("managementSecure", endpoint.securePort());
        }
        ports.put("loadgen", property("loadgen.port"));
        ports.put("timesync", property("timesync.port"));
        final ProcessHandle process = ProcessHandle.current();
        final Map<String, Object> server = new LinkedHashMap<>();
        server.put("name", configuration.domainName());
        server.put("state", state);
        server.put("pid", process.pid());
        server.put("startedAt", process.info().startInstant().map(Instant::toString).orElse(""));
        server.put("javaVersion", Runtime.version().toString());
        server.put("ports", ports);
        server.put("http", endpoint.figures());
        server.put("memory", describeMemory());
        server.put("warmUp", warmUp.describe());
        server.putAll(new ServerDetailsTracker(context).describe());
        return server;
    }

    private Map<String, Object> describeMemory()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("limitBytes", memory.limitBytes());
        figures.put("takenBytes", memory.takenBytes());
        figures.put("holders", memory.usages().stream().limit(NAMED_HOLDERS)
            .map(usage -> Map.of("holder", usage.holder().toString(), "bytes", usage.bytes())).toList());
        return figures;
    }

    private void shutdown()
    {
        LOG.info("server SHUTTING_DOWN");
        state = "SHUTTING_DOWN";
        try
        {
            // Stopping the framework returns immediately and continues in a separate thread.
            context.getBundle(0).stop();
        }
        catch (final BundleException e)
        {
            LOG.error("SRV-0113: framework does not stop", e);
        }
    }

    private void note(final String event, final String user)
    {
        try
        {
            audit.write(new AuditLog.Entry(event, user, "-", configuration.domainName(), "done", null));
        }
        catch (final IOException e)
        {
            LOG.error("SRV-0416 a line of the audit log could not be written, event={} reason={}", event, e.toString());
        }
    }

    private void closeAudit()
    {
        note("server.end", "-");
        try
        {
            audit.close();
        }
        catch (final IOException e)
        {
            LOG.error("SRV-0416 a line of the audit log could not be written, event=close reason={}", e.toString());
        }
    }

    private void endWarmUp()
    {
        try
        {
            if (!warmUp.cancel(WARM_UP_END_NS))
            {
                LOG.info("class warm-up still runs while the server stops, limitSeconds={}",
                    TimeUnit.NANOSECONDS.toSeconds(WARM_UP_END_NS));
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop(final BundleContext bundleContext)
    {
        bundleContext.removeFrameworkListener(started);
        bundleContext.removeBundleListener(stopping);
        endWarmUp();
        if (endpoint != null)
        {
            endpoint.close();
        }
        if (extender != null)
        {
            extender.close();
        }
        if (eventTables != null)
        {
            eventTables.close();
        }
        if (dataSources != null)
        {
            dataSources.close();
        }
        workManagers.close();
        closeAudit();
        try
        {
            Files.deleteIfExists(urlFile());
            Files.deleteIfExists(domain.resolve("var").resolve("admin.token"));
        }
        catch (final IOException e)
        {
            LOG.warn("cannot remove files of this start, directory={} reason={}", domain.resolve("var"), e.toString());
        }
    }
}
