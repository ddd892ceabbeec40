package dev.millrace.server.extender;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.Network;
import dev.millrace.network.NetworkState;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.server.work.CountedThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
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

    /** How long each step from one version to the next may take: sources pause, beans open what they need. */
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(30);

    private final Bundle bundle;

    private final BundleContext extender;

    private final ExtenderSettings settings;

    private final NamespaceBundles namespaces;

    private final ScheduledExecutorService timer;

    private final ApplicationThread thread;

    private final CountedThreads networkThreads;

    /** Services that are being unregistered: still to be found, but not to be taken any more. */
    private final List<ServiceReference<?>> leaving = new CopyOnWriteArrayList<>();

    private volatile boolean closed;

    /** Refused while its thread hangs in code of the application; guarded by this. */
    private boolean abandoned;

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

    /** Filters of what is missing, by description; empty unless waiting. Application's thread only. */
    private Map<String, Filter> missing = Map.of();

    /** Id of the namespace bundle waited for, or -1. */
    private volatile long missingBundle = -1;

    /** Tells time-outs of earlier attempts from the present one. Application's thread only. */
    private int attempt;

    private ApplicationStatus status = ApplicationStatus.of(ApplicationState.STARTING);

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
        final ApplicationStatus snapshot;
        synchronized (this)
        {
            snapshot = status;
        }
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

    /** What became of an application that was abandoned is settled. */
    private synchronized boolean setStatus(final ApplicationStatus next)
    {
        if (!abandoned)
        {
            status = next;
            notifyAll();
        }
        return !abandoned;
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
        synchronized (this)
        {
            if (status.state() != ApplicationState.STARTING && status.state() != ApplicationState.WAITING)
            {
                return false;
            }
            setStatus(ApplicationStatus.failed(problems));
            abandoned = true;
        }
        closed = true;
        thread.interrupt();
        return true;
    }

    private synchronized boolean isAbandoned()
    {
        return abandoned;
    }

    /**
     * The thread that makes the application.
     *
     * @return the last one, or {@code null} before the first
     */
    public Thread thread()
    {
        return thread.thread();
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
        final long deadlineNs = System.nanoTime() + timeoutNs;
        synchronized (this)
        {
            while (status.state() == ApplicationState.STARTING || status.state() == ApplicationState.WAITING)
            {
                final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0)
                {
                    break;
                }
                wait(leftMs);
            }
        }
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
                    setStatus(ApplicationStatus.of(ApplicationState.SUSPENDED));
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
                    setStatus(ApplicationStatus.of(ApplicationState.RUNNING));
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
     * Pauses for the next version, as {@link #suspend} does; the application still counts as running.
     *
     * @return the state that its queries hold, in words, by processor; nothing when there is no network
     * @throws DeploymentException when it does not pause in time
     */
    public Map<String, Map<String, String>> stepAside() throws DeploymentException
    {
        return thread.await("pause for the next version", STEP_NS, () ->
        {
            final RunningContext context = running;
            if (context == null)
            {
                return Map.of();
            }
            if (!suspended)
            {
                try
                {
                    context.suspend();
                }
                catch (final DeploymentException e)
                {
                    LOG.warn("application does not pause cleanly for its next version, name={}\n{}",
                        bundle.getSymbolicName(), e.getMessage());
                }
            }
            return context.network().heldState();
        });
    }

    /**
     * Goes on after {@link #stepAside}, because the next version was refused.
     *
     * @throws DeploymentException when a stage does not go on; the others do
     */
    public void goOn() throws DeploymentException
    {
        thread.await("go on after a refused version", STEP_NS, () ->
        {
            if (running != null)
            {
                running.goOn(!suspended);
            }
            return null;
        });
    }

    private boolean release(final String stageId, final Set<String> next)
    {
        try
        {
            return thread.await("close for the next version", STEP_NS,
                () -> running != null && running.release(stageId, next));
        }
        catch (final DeploymentException e)
        {
            LOG.warn("sources cannot be closed for the next version, name={}\n{}", bundle.getSymbolicName(),
                e.getMessage());
            return false;
        }
    }

    /**
     * Opens what a prepared version needs.
     *
     * @param before the version that has stepped aside, or {@code null}
     * @throws DeploymentException when it refuses; it is to be closed
     */
    public void activate(final ManagedApplication before) throws DeploymentException
    {
        thread.await("open adapters and beans", STEP_NS, () ->
        {
            existing(prepared).activate(before == null ? Predecessor.NONE : before::release);
            return null;
        });
    }

    /**
     * Lets a version run that was activated; the one before has ended.
     *
     * @throws DeploymentException when it fails; it is to be closed
     */
    public void takeOver() throws DeploymentException
    {
        thread.await("start the network", STEP_NS, () ->
        {
            final RunningContext context = existing(prepared);
            context.takeOver(!suspended);
            isNext = false;
            prepared = null;
            runs(context);
            return null;
        });
    }

    private RunningContext existing(final RunningContext context) throws DeploymentException
    {
        if (context == null)
        {
            throw new DeploymentException("SRV-0331", new SourcePosition(bundle.getSymbolicName(), 0, 0),
                "a service that the new version uses has gone while it got ready", "try again when it is back");
        }
        return context;
    }

    /**
     * The rules that a prepared version has, when they are all that differs from a version that runs.
     *
     * @param before the version that runs
     * @return rules by processor, bound; empty when something else differs or it does not run well
     */
    public Optional<Map<String, List<Rule>>> onlyRulesFor(final ManagedApplication before)
    {
        final RunningContext now = before.running;
        final RunningContext next = prepared;
        final Network network = now == null ? null : now.network();
        return next == null || network == null || network.state() == NetworkState.FAILED ||
            network.state() == NetworkState.STOPPED || !next.frame().equals(now.frame()) ? Optional.empty() :
            Optional.of(next.preparedRules());
    }

    /**
     * The rules that a prepared version is going to run.
     *
     * @return by processor, bound
     */
    public Map<String, List<Rule>> preparedRules()
    {
        final RunningContext next = prepared;
        return next == null ? Map.of() : next.preparedRules();
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
        missing = Map.of();
        missingBundle = -1;
        setStatus(ApplicationStatus.of(ApplicationState.STARTING));
        final RunningContext context = newContext();
        settings.deployments().starts(bundle);
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
                context.prepare(leaving);
                prepared = context;
                if (!setStatus(ApplicationStatus.of(ApplicationState.PREPARED)))
                {
                    closeContext();
                }
            }
            else
            {
                context.open(leaving, !suspended);
                runs(context);
            }
        }
        // Whatever an application's own code throws concerns that application only.
        catch (final Exception | Error e)
        {
            context.close();
            namespaceBundles = context.usedNamespaceBundles();
            setStatus(ApplicationStatus.failed(Failures.problems(bundle, e)));
        }
        finally
        {
            settings.deployments().hasStarted(bundle);
        }
    }

    private void runs(final RunningContext context)
    {
        running = context;
        if (setStatus(ApplicationStatus.of(suspended ? ApplicationState.SUSPENDED : ApplicationState.RUNNING)))
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
                extender, networkThreads, settings.defaultWorkers(), settings.providerWaitNs(), settings.groups()),
            what -> setStatus(ApplicationStatus.waiting(List.of(what))), () -> closed);
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
        final Map<String, Filter> absent = new LinkedHashMap<>();
        long timeoutMs = Long.MAX_VALUE;
        for (final ServiceDependency dependency : context.dependencies())
        {
            if (dependency.settings().mandatory()
                && dependency.candidates(bundle.getBundleContext(), leaving).isEmpty())
            {
                absent.put(dependency.description(), dependency.filter(bundle.getBundleContext()));
                timeoutMs = Math.min(timeoutMs, dependency.settings().timeoutMs());
            }
        }
        if (absent.isEmpty())
        {
            return true;
        }
        waitFor(absent);
        final int waiting = attempt;
        timer.schedule(() -> thread.submit(() -> giveUp(waiting)), timeoutMs, TimeUnit.MILLISECONDS);
        return false;
    }

    private void waitFor(final Map<String, Filter> absent)
    {
        missing = absent;
        interested = true;
        LOG.info("application {} WAITING, for {}", bundle.getSymbolicName(), absent.keySet());
        setStatus(ApplicationStatus.waiting(List.copyOf(absent.keySet())));
    }

    private void giveUp(final int waiting)
    {
        if (waiting == attempt && !missing.isEmpty() && !closed)
        {
            final List<Problem> problems = missing.keySet().stream().map(what -> new Problem("SRV-0304",
                new SourcePosition(bundle.getSymbolicName(), 0, 0), "did not come in time: " + what,
                "install the bundle that offers it and update this application, or raise timeout of its"
                    + " osgi:reference", "")).toList();
            missing = Map.of();
            LOG.warn("application refused, name={} {}", bundle.getSymbolicName(), problems.get(0).format());
            setStatus(ApplicationStatus.failed(problems));
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
            else if (!missing.isEmpty() && missing.values().stream().allMatch(this::isThere))
            {
                attempt();
            }
        });
    }

    private boolean isThere(final Filter filter)
    {
        try
        {
            final ServiceReference<?>[] found = extender.getAllServiceReferences(null, filter.toString());
            return found != null && !leaving.containsAll(List.of(found));
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException("a filter that was made from this text; this is our bug", e);
        }
    }

    /** A service is about to go. Called by the thread that takes it away; returns when it is not used any more. */
    void serviceLeaving(final ServiceReference<?> reference)
    {
        if (closed || thread.isShutdown())
        {
            return;
        }
        final RunningContext context = running;
        final boolean mightHold = context != null || prepared != null || statusIsStarting();
        if (!mightHold)
        {
            return;
        }
        leaving.removeIf(old -> old.getBundle() == null);
        leaving.add(reference);
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

    private synchronized boolean statusIsStarting()
    {
        return status.state() == ApplicationState.STARTING || status.state() == ApplicationState.WAITING;
    }

    private void lose(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        if (running.survives(reference))
        {
            running.gone(reference, leaving);
            return;
        }
        final Map<String, Filter> needed = needed(reference);
        LOG.info("application {} is closed, a service it uses goes, service={}", bundle.getSymbolicName(), reference);
        closeContext();
        if (!needed.isEmpty())
        {
            attempt++;
            waitFor(needed);
            if (!needed.values().stream().allMatch(this::isThere))
            {
                return;
            }
        }
        thread.later(this::attempt);
    }

    /** What has to come back before the context can be made again. */
    private Map<String, Filter> needed(final ServiceReference<?> reference)
        throws InvalidSyntaxException
    {
        final Map<String, Filter> needed = new LinkedHashMap<>();
        for (final ServiceDependency dependency : running.dependencies())
        {
            if (dependency.settings().mandatory() && dependency.held().containsKey(reference))
            {
                needed.put(dependency.description(), dependency.filter(bundle.getBundleContext()));
            }
        }
        final String provider = running.capturedProviders().get(reference);
        if (provider != null)
        {
            needed.put("service " + provider, FrameworkUtil.createFilter(provider));
        }
        return needed;
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
                    setStatus(ApplicationStatus.waiting(
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
        if (!isAbandoned())
        {
            thread.await(thread.submit(this::closeContext), "bundle that stops");
        }
        thread.shutdown();
        setStatus(ApplicationStatus.of(ApplicationState.STOPPED));
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
