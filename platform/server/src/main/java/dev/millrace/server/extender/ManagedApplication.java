package dev.millrace.server.extender;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.extender.bundle.AssemblyFiles;
import dev.millrace.server.extender.bundle.NamespaceRegistry;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import dev.millrace.server.thread.BoundedThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Filter;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An active bundle with assembly files. One dedicated thread executes all work on its context, in order; any thread may
 * read the status.
 */
public final class ManagedApplication
{
    private static final Logger LOG = LoggerFactory.getLogger(ManagedApplication.class);

    private final Bundle bundle;

    private final BundleContext extender;

    private final ExtenderSettings settings;

    private final NamespaceRegistry namespaces;

    private final ScheduledExecutorService timer;

    private final ApplicationThread thread;

    private final BoundedThreadFactory networkThreads;

    private final AwaitedServices awaited;

    private final TrackedStatus status = new TrackedStatus();

    private volatile boolean closed;

    private volatile boolean suspended;

    /** Whether new services are relevant, because the files reference some. */
    private volatile boolean interested;

    private volatile RunningContext running;

    /** A prepared context that will replace the context of the previous version. */
    private volatile RunningContext prepared;

    /** Whether the application is only prepared. */
    private volatile boolean isNext;

    /** Version of the bundle whose files run; rules of a later version may run in the bundle of an earlier one. */
    private volatile String version;

    /** Bundles whose namespaces the last context used. */
    private volatile Set<Long> namespaceBundles = Set.of();

    /** Id of the missing namespace bundle, or -1. */
    private volatile long missingBundle = -1;

    /** Distinguishes timeouts of earlier attempts from the current one. Confined to the application's thread. */
    private int attempt;

    ManagedApplication(
        final Bundle bundle, final BundleContext extender, final ExtenderSettings settings,
        final NamespaceRegistry namespaces, final ScheduledExecutorService timer)
    {
        this.bundle = bundle;
        this.extender = extender;
        this.settings = settings;
        this.namespaces = namespaces;
        this.timer = timer;
        this.networkThreads = new BoundedThreadFactory(bundle.getSymbolicName());
        this.suspended = settings.deployments().isSuspended(bundle);
        this.isNext = settings.deployments().isNextVersion(bundle);
        this.version = bundle.getVersion().toString();
        this.thread = new ApplicationThread(bundle.getSymbolicName());
        this.awaited = new AwaitedServices(bundle, extender);
    }

    public Bundle bundle()
    {
        return bundle;
    }

    /**
     * Returns the version whose files run.
     *
     * @return version of a bundle, not always of {@link #bundle()}: a later version may have changed only rules
     */
    public String version()
    {
        return version;
    }

    /** Records that the rules of a later version run now. */
    public void runsVersion(final String laterVersion)
    {
        version = laterVersion;
    }

    /** Whether the application is only prepared to replace the running version. */
    boolean isNextVersion()
    {
        return isNext;
    }

    /** Returns a snapshot of the status. */
    public ApplicationStatus status()
    {
        final ApplicationStatus snapshot = status.get();
        final Network network = network();
        return network == null ? snapshot : NetworkStatus.of(bundle.getSymbolicName(), snapshot, network);
    }

    private Network network()
    {
        final RunningContext context = running;
        return context == null ? null : context.network();
    }

    /**
     * Whether there is a network that can be suspended and resumed.
     *
     * @return false while it starts or waits, and after it was rejected or has stopped
     */
    public boolean hasNetwork()
    {
        return network() != null;
    }

    /** Inspects the network; called by the extender's timer about once per second. */
    void inspect()
    {
        final Network network = network();
        if (network != null)
        {
            network.inspect();
        }
    }

    /**
     * Rejects the application while its start hangs. The thread is interrupted; when it returns, the resources it
     * created are closed.
     *
     * @param problems the reasons
     * @return false when the application has started or failed in the meantime
     */
    public boolean abandon(final List<Problem> problems)
    {
        if (!status.abandon(ApplicationStatus.failed(problems)))
        {
            return false;
        }
        closed = true;
        thread.interrupt();
        return true;
    }

    /** Rejects the application if it is still starting; its thread is reported until it returns. */
    public void startTimeIsUp()
    {
        if (status.get().state() != ApplicationState.STARTING)
        {
            return;
        }
        final Thread hanging = thread.thread();
        final Problem problem = settings.deployments().startHangs(bundle, hanging);
        if (abandon(List.of(problem)))
        {
            LOG.error("application rejected, name={} {}", bundle.getSymbolicName(), problem.format());
            settings.deployments().isLeftOver(bundle, hanging);
        }
    }

    /**
     * Waits while the application starts or waits for services, up to the timeout.
     *
     * @return the status at the end of the wait
     */
    public ApplicationStatus awaitSettled(final long timeoutNs) throws InterruptedException
    {
        status.awaitSettled(timeoutNs);
        return status();
    }

    /**
     * Returns statistics of the network, and {@code startMicros}: the time to read the {@code files}, to create the
     * {@code beans}, and to plan, compile and wire the {@code network}.
     *
     * @return statistics, or {@code null} when there is currently no network
     */
    public Map<String, Object> statistics()
    {
        final RunningContext context = running;
        final Network network = network();
        if (context == null || network == null)
        {
            return null;
        }
        final Map<String, Object> statistics = new LinkedHashMap<>(network.statistics());
        statistics.put("startMicros", context.startMicros());
        return statistics;
    }

    /**
     * Pauses the sources; the application stays suspended when its context is created again.
     *
     * @throws DeploymentException when a stage does not pause
     */
    public void suspend() throws DeploymentException
    {
        thread.call(() ->
        {
            if (running != null)
            {
                try
                {
                    running.suspend();
                }
                finally
                {
                    status.set(ApplicationStatus.of(ApplicationState.SUSPENDED));
                }
            }
            suspended = true;
        });
    }

    /**
     * Resumes the sources and runs failed stages again.
     *
     * @throws DeploymentException when a stage does not resume
     */
    public void resume() throws DeploymentException
    {
        thread.call(() ->
        {
            if (running != null)
            {
                try
                {
                    running.resume();
                }
                finally
                {
                    status.set(ApplicationStatus.of(ApplicationState.RUNNING));
                }
            }
            suspended = false;
        });
    }

    /**
     * Replaces the rules of a processor of the running network. The caller serializes changes.
     *
     * @param rules the complete new rules, bound
     * @return the effect on each query
     * @throws DeploymentException with all problems; nothing has changed
     */
    public RuleChange changeRules(final String processor, final List<Rule> rules) throws DeploymentException
    {
        return runningNetwork().rules().change(processor, rules);
    }

    /**
     * Replaces the rules of a processor like {@link #changeRules(String, List)}.
     *
     * @param accepted called when the new rules are accepted, and before they run
     * @throws DeploymentException with all problems; nothing has changed. A durable processor may fail after the call
     *     of {@code accepted}
     */
    public RuleChange changeRules(final String processor, final List<Rule> rules, final Runnable accepted)
        throws DeploymentException
    {
        return runningNetwork().rules().change(processor, rules, accepted);
    }

    /**
     * Returns the current rules of a processor.
     *
     * @return all rules, bound
     * @throws DeploymentException when there is no such processor or the application does not run
     */
    public List<Rule> rules(final String processor) throws DeploymentException
    {
        return runningNetwork().rules().processor(processor).rules();
    }

    /**
     * Returns the network.
     *
     * @throws DeploymentException when the application does not run
     */
    public Network runningNetwork() throws DeploymentException
    {
        final Network network = network();
        if (network == null)
        {
            throw new DeploymentException("SRV-0208", new SourcePosition(bundle.getSymbolicName(), 0, 0),
                "the application has no running network", "check its status");
        }
        return network;
    }

    /** The thread of the application, which runs each step of an update. */
    ApplicationThread thread()
    {
        return thread;
    }

    /**
     * Returns the adapters that send events.
     *
     * @return ids; empty when there is no network
     */
    public List<String> sources()
    {
        final RunningContext context = running;
        final Network network = context == null ? null : context.network();
        return network == null ? List.of() : network.sources().ids();
    }

    void start()
    {
        thread.later(this::attempt);
    }

    private void attempt()
    {
        if (closed || running != null || prepared != null)
        {
            return;
        }
        attempt++;
        awaited.clear();
        missingBundle = -1;
        status.set(ApplicationStatus.of(ApplicationState.STARTING));
        settings.deployments().starts(bundle);
        final long limitNs = settings.deployments().startLimitNs(bundle);
        final Future<?> limit =
            timer.scheduleWithFixedDelay(this::startTimeIsUp, limitNs, limitNs, TimeUnit.NANOSECONDS);
        try
        {
            refresh(newContext());
        }
        // For example, without free file handles the context itself cannot be created.
        catch (final RuntimeException | Error e)
        {
            status.set(ApplicationStatus.failed(FailureTranslator.problems(bundle, e)));
        }
        finally
        {
            limit.cancel(false);
            if (status.isAbandoned())
            {
                // It was interrupted so that it returns; files cannot be changed while the interrupt flag is set.
                Thread.interrupted();
            }
            settings.deployments().hasStarted(bundle);
        }
    }

    private void refresh(final RunningContext context)
    {
        try
        {
            context.read(configuration(), properties());
            namespaceBundles = context.usedNamespaceBundles();
            interested = !context.dependencies().all().isEmpty();
            if (!isComplete(context))
            {
                context.close();
            }
            else if (isNext)
            {
                context.prepare(awaited.leaving());
                prepared = context;
                if (!status.set(ApplicationStatus.of(ApplicationState.PREPARED)))
                {
                    closeContext();
                }
            }
            else
            {
                context.open(awaited.leaving(), !suspended);
                runs(context);
            }
        }
        // Anything an application's own code throws concerns only that application.
        catch (final Exception | Error e)
        {
            context.close();
            namespaceBundles = context.usedNamespaceBundles();
            status.set(ApplicationStatus.failed(FailureTranslator.problems(bundle, e)));
        }
    }

    /** Returns the running context, or {@code null}. */
    RunningContext running()
    {
        return running;
    }

    /** Returns the prepared context that will replace the context of the previous version, or {@code null}. */
    RunningContext prepared()
    {
        return prepared;
    }

    /** Whether the sources are to be suspended. */
    boolean isSuspended()
    {
        return suspended;
    }

    /** Marks the prepared context as running. Confined to the application's thread. */
    void tookOver(final RunningContext context)
    {
        isNext = false;
        prepared = null;
        runs(context);
    }

    private void runs(final RunningContext context)
    {
        running = context;
        if (status.set(ApplicationStatus.of(suspended ? ApplicationState.SUSPENDED : ApplicationState.RUNNING)))
        {
            LOG.info("application {} {}, version {}", bundle.getSymbolicName(), suspended ? "SUSPENDED" : "RUNNING",
                version);
        }
        else
        {
            closeContext();
        }
    }

    private RunningContext newContext()
    {
        final ApplicationServices services = new ApplicationServices(
            new ApplicationServices.Settings(
                extender, networkThreads, settings.defaultWorkers(), settings.idleStateTime(),
                settings.maxAttempts(), settings.memory(), settings.providerWaitNs(), settings.groups(),
                settings.stateDirectory(), settings.durability(), settings.eventStore()),
            what -> status.set(ApplicationStatus.waiting(List.of(what))), () -> closed);
        return new RunningContext(bundle, bundle.adapt(BundleWiring.class).getClassLoader(), services,
            new NamespaceResolver(namespaces));
    }

    private List<ConfigurationResource> configuration()
    {
        final List<ConfigurationResource> kept = settings.deployments().configuration(bundle);
        return kept != null ? kept : AssemblyFiles.folder(bundle, "META-INF/wlevs");
    }

    private Properties properties() throws IOException
    {
        final Properties properties = new Properties();
        final Path file = settings.configDirectory().resolve(bundle.getSymbolicName() + ".properties");
        if (Files.isRegularFile(file))
        {
            try (InputStream in = Files.newInputStream(file))
            {
                properties.load(in);
            }
        }
        return properties;
    }

    /** Whether all mandatory services are available; otherwise the application waits from now on. */
    private boolean isComplete(final RunningContext context) throws InvalidSyntaxException
    {
        if (awaited.missFor(context.dependencies().all()))
        {
            waitForMissing();
            final int waiting = attempt;
            timer.schedule(() -> thread.submit(() -> giveUp(waiting)), awaited.timeoutMs(), TimeUnit.MILLISECONDS);
            return false;
        }
        return true;
    }

    private void waitForMissing()
    {
        interested = true;
        LOG.info("application {} WAITING, for {}", bundle.getSymbolicName(), awaited.descriptions());
        status.set(ApplicationStatus.waiting(awaited.descriptions()));
    }

    private void giveUp(final int waiting)
    {
        if (waiting == attempt && awaited.isAnyMissing() && !closed)
        {
            final List<Problem> problems = awaited.problems();
            awaited.clear();
            LOG.warn("application rejected, name={} {}", bundle.getSymbolicName(), problems.get(0).format());
            status.set(ApplicationStatus.failed(problems));
        }
    }

    /** A service was registered or its properties changed. Callable by any thread; does not block. */
    void serviceChanged(final ServiceReference<?> reference)
    {
        if (!interested)
        {
            return;
        }
        thread.submit(() ->
        {
            if (running != null)
            {
                if (running.dependencies().holds(reference) && !running.dependencies().stillWanted(reference))
                {
                    lose(reference);
                }
                else
                {
                    running.dependencies().arrived(reference);
                }
            }
            else if (awaited.isAnyMissing() && awaited.areAllThere())
            {
                attempt();
            }
        });
    }

    /**
     * A service is being unregistered. Called by the thread that unregisters it; returns when the service is no longer
     * used.
     */
    void serviceLeaving(final ServiceReference<?> reference)
    {
        if (closed || thread.isShutdown())
        {
            return;
        }
        final RunningContext context = running;
        final boolean mightHold = context != null || prepared != null || status.isStarting();
        if (!mightHold)
        {
            return;
        }
        awaited.leaves(reference);
        thread.await(thread.submit(() ->
        {
            if (running != null && running.dependencies().holds(reference))
            {
                lose(reference);
            }
            else if (prepared != null && prepared.dependencies().holds(reference))
            {
                closeContext();
            }
        }), "unregistered service");
    }

    private void lose(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        if (running.dependencies().survives(reference))
        {
            running.dependencies().gone(reference, awaited.leaving());
            return;
        }
        final Map<String, Filter> needed = awaited.needed(running.dependencies(), reference);
        LOG.info("application {} is closed because a service it uses was unregistered, service={}",
            bundle.getSymbolicName(), reference);
        closeContext();
        if (!needed.isEmpty())
        {
            attempt++;
            awaited.miss(needed);
            waitForMissing();
            if (!awaited.areAllThere())
            {
                return;
            }
        }
        thread.later(this::attempt);
    }

    /** A namespace bundle stops or loses its wiring. Returns when it is no longer used. */
    void namespaceLeaving(final Bundle namespace)
    {
        if (!closed && namespaceBundles.contains(namespace.getBundleId()))
        {
            thread.await(thread.submit(() ->
            {
                if (running != null)
                {
                    LOG.info("application {} is closed because a namespace bundle stops, bundle={}",
                        bundle.getSymbolicName(), namespace.getSymbolicName());
                    closeContext();
                    missingBundle = namespace.getBundleId();
                    status.set(ApplicationStatus.waiting(
                        List.of("namespace bundle " + namespace.getSymbolicName())));
                }
            }), "stopping namespace bundle");
        }
    }

    /** A namespace bundle has returned or was uninstalled. Does not block. */
    void namespaceSettled(final Bundle namespace)
    {
        if (!closed && missingBundle == namespace.getBundleId())
        {
            thread.submit(this::attempt);
        }
    }

    /** Closes the context because the bundle stops; returns when the context is closed. */
    void close()
    {
        closed = true;
        if (!status.isAbandoned())
        {
            thread.await(thread.submit(this::closeContext), "stopping bundle");
        }
        thread.shutdown();
        status.set(ApplicationStatus.of(ApplicationState.STOPPED));
    }

    private void closeContext()
    {
        final RunningContext context = running == null ? prepared : running;
        if (context != null)
        {
            running = null;
            prepared = null;
            context.close();
        }
    }
}
