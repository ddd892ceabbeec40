package dev.millrace.server.extender;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.work.CountedThreads;
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
 * An active bundle with assembly files. All work on its context is done by one thread of its own, in order; the
 * status may be read by any thread.
 */
public final class ManagedApplication
{
    private static final Logger LOG = LoggerFactory.getLogger(ManagedApplication.class);

    private final Bundle bundle;

    private final BundleContext extender;

    private final ExtenderSettings settings;

    private final NamespaceBundles namespaces;

    private final ScheduledExecutorService timer;

    private final ApplicationThread thread;

    private final CountedThreads networkThreads;

    private final VersionHandover handover;

    private final AwaitedServices awaited;

    private final TrackedStatus status = new TrackedStatus();

    private volatile boolean closed;

    private volatile boolean suspended;

    /** Whether services that come matter: the files name some. */
    private volatile boolean interested;

    private volatile RunningContext running;

    /** A context that waits to take the place of that of the version before. */
    private volatile RunningContext prepared;

    /** Whether it only gets ready. */
    private volatile boolean isNext;

    /** Of the bundle whose files run; rules of a later version may run in the bundle of an earlier one. */
    private volatile String version;

    /** Bundles whose namespaces the last context used. */
    private volatile Set<Long> namespaceBundles = Set.of();

    /** Id of the namespace bundle waited for, or -1. */
    private volatile long missingBundle = -1;

    /** Tells time-outs of earlier attempts from the present one. Application's thread only. */
    private int attempt;

    ManagedApplication(
        final Bundle bundle, final BundleContext extender, final ExtenderSettings settings,
        final NamespaceBundles namespaces, final ScheduledExecutorService timer)
    {
        this.bundle = bundle;
        this.extender = extender;
        this.settings = settings;
        this.namespaces = namespaces;
        this.timer = timer;
        this.networkThreads = new CountedThreads(bundle.getSymbolicName());
        this.suspended = settings.deployments().isSuspended(bundle);
        this.isNext = settings.deployments().isNextVersion(bundle);
        this.version = bundle.getVersion().toString();
        this.thread = new ApplicationThread(bundle.getSymbolicName());
        this.handover = new VersionHandover(this, thread);
        this.awaited = new AwaitedServices(bundle, extender);
    }

    /**
     * The bundle.
     *
     * @return application bundle
     */
    public Bundle bundle()
    {
        return bundle;
    }

    /**
     * The version whose files run.
     *
     * @return version of a bundle, not always of {@link #bundle()}: later ones may have changed rules only
     */
    public String version()
    {
        return version;
    }

    /**
     * Says that the rules of a later version run now.
     *
     * @param laterVersion of its bundle
     */
    public void runsVersion(final String laterVersion)
    {
        version = laterVersion;
    }

    /**
     * Whether it only gets ready to take the place of the version that runs.
     *
     * @return false for all applications that count
     */
    boolean isNextVersion()
    {
        return isNext;
    }

    /**
     * Where the application stands.
     *
     * @return snapshot
     */
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
     * @return false while it starts, waits, was refused or has stopped
     */
    public boolean hasNetwork()
    {
        return network() != null;
    }

    /** Looks how the network is; the extender's timer calls it about once a second. */
    void inspect()
    {
        final Network network = network();
        if (network != null)
        {
            network.inspect();
        }
    }

    /**
     * Refuses the application while it starts and its thread does not come back. The thread is interrupted; when it
     * comes back, what it has made is closed.
     *
     * @param problems why
     * @return false when the application has started or failed meanwhile
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

    /** Refuses the application when it is still being made; its thread is named until it comes back. */
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
            LOG.error("application refused, name={} {}", bundle.getSymbolicName(), problem.format());
            settings.deployments().isLeftOver(bundle, hanging);
        }
    }

    /**
     * Waits while the application starts, and a little for services.
     *
     * @param timeoutNs how long
     * @return status then
     * @throws InterruptedException when interrupted
     */
    public ApplicationStatus awaitSettled(final long timeoutNs) throws InterruptedException
    {
        status.awaitSettled(timeoutNs);
        return status();
    }

    /**
     * Figures of the network, and {@code startMicros}: how long it took to read the {@code files}, to make the {@code
     * beans}, and to plan, compile and wire the {@code network}.
     *
     * @return statistics, or {@code null} when there is no network now
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
     * Pauses the sources; the application stays suspended when its context is made again.
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
     * Lets the sources go on, and runs stages that have failed again.
     *
     * @throws DeploymentException when a stage does not go on
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
     * Exchanges the rules of a processor of the running network. The caller sees to it that changes come one at a time.
     *
     * @param processor id
     * @param rules     all rules from now on, bound
     * @return what became of each query
     * @throws DeploymentException with all problems; everything is as before
     */
    public RuleChange changeRules(final String processor, final List<Rule> rules) throws DeploymentException
    {
        return existingNetwork().changeRules(processor, rules);
    }

    /**
     * The rules of a processor now.
     *
     * @param processor id
     * @return all rules, bound
     * @throws DeploymentException when there is no such processor or the application does not run
     */
    public List<Rule> rules(final String processor) throws DeploymentException
    {
        return existingNetwork().processor(processor).rules();
    }

    private Network existingNetwork() throws DeploymentException
    {
        final Network network = network();
        if (network == null)
        {
            throw new DeploymentException("SRV-0208", new SourcePosition(bundle.getSymbolicName(), 0, 0),
                "the application has no running network", "look at its status");
        }
        return network;
    }

    /**
     * The steps from one version to the next.
     *
     * @return those of this application, as the earlier or the later version
     */
    public VersionHandover handover()
    {
        return handover;
    }

    /**
     * The adapters that send events.
     *
     * @return ids; none when there is no network
     */
    public List<String> sources()
    {
        final RunningContext context = running;
        final Network network = context == null ? null : context.network();
        return network == null ? List.of() : network.sources();
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
        // For want of file handles, say, not even the context can be made.
        catch (final RuntimeException | Error e)
        {
            status.set(ApplicationStatus.failed(Failures.problems(bundle, e)));
        }
        finally
        {
            limit.cancel(false);
            if (status.isAbandoned())
            {
                // It was interrupted so that it comes back; files cannot be changed while that mark is set.
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
            interested = !context.dependencies().isEmpty();
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
        // Whatever an application's own code throws concerns that application only.
        catch (final Exception | Error e)
        {
            context.close();
            namespaceBundles = context.usedNamespaceBundles();
            status.set(ApplicationStatus.failed(Failures.problems(bundle, e)));
        }
    }

    /** The context that runs, or {@code null}. */
    RunningContext running()
    {
        return running;
    }

    /** The context that waits to take the place of that of the version before, or {@code null}. */
    RunningContext prepared()
    {
        return prepared;
    }

    /** Whether the sources are meant to stand still. */
    boolean isSuspended()
    {
        return suspended;
    }

    /** The prepared context runs now. Application's thread only. */
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
                settings.maxAttempts(), settings.memory(), settings.providerWaitNs(), settings.groups()),
            what -> status.set(ApplicationStatus.waiting(List.of(what))), () -> closed);
        return new RunningContext(bundle, bundle.adapt(BundleWiring.class).getClassLoader(), services,
            new UsedNamespaces(namespaces));
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

    /** Whether all mandatory services are there; otherwise the application waits from now on. */
    private boolean isComplete(final RunningContext context) throws InvalidSyntaxException
    {
        if (awaited.missFor(context.dependencies()))
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
            LOG.warn("application refused, name={} {}", bundle.getSymbolicName(), problems.get(0).format());
            status.set(ApplicationStatus.failed(problems));
        }
    }

    /** A service was registered or its properties changed. Called by any thread; does not wait. */
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
                if (running.holds(reference) && !running.stillWanted(reference))
                {
                    lose(reference);
                }
                else
                {
                    running.arrived(reference);
                }
            }
            else if (awaited.isAnyMissing() && awaited.areAllThere())
            {
                attempt();
            }
        });
    }

    /** A service is about to go. Called by the thread that takes it away; returns when it is not used any more. */
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
            if (running != null && running.holds(reference))
            {
                lose(reference);
            }
            else if (prepared != null && prepared.holds(reference))
            {
                closeContext();
            }
        }), "service that leaves");
    }

    private void lose(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        if (running.survives(reference))
        {
            running.gone(reference, awaited.leaving());
            return;
        }
        final Map<String, Filter> needed = awaited.needed(running, reference);
        LOG.info("application {} is closed, a service it uses goes, service={}", bundle.getSymbolicName(), reference);
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

    /** A namespace bundle stops or loses its wiring. Returns when nothing of it is used any more. */
    void namespaceLeaving(final Bundle namespace)
    {
        if (!closed && namespaceBundles.contains(namespace.getBundleId()))
        {
            thread.await(thread.submit(() ->
            {
                if (running != null)
                {
                    LOG.info("application {} is closed, a namespace bundle goes, bundle={}",
                        bundle.getSymbolicName(), namespace.getSymbolicName());
                    closeContext();
                    missingBundle = namespace.getBundleId();
                    status.set(ApplicationStatus.waiting(
                        List.of("namespace bundle " + namespace.getSymbolicName())));
                }
            }), "namespace bundle that leaves");
        }
    }

    /** A namespace bundle came back, or will never. Does not wait. */
    void namespaceSettled(final Bundle namespace)
    {
        if (!closed && missingBundle == namespace.getBundleId())
        {
            thread.submit(this::attempt);
        }
    }

    /** Closes the context; returns when that is done. The bundle stops. */
    void close()
    {
        closed = true;
        if (!status.isAbandoned())
        {
            thread.await(thread.submit(this::closeContext), "bundle that stops");
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
