package dev.millrace.server.extender;

import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.Filter;
import org.osgi.framework.InvalidSyntaxException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context of an application: created as soon as its services are available, prepared if it is the next version,
 * suspended, and closed.
 *
 * <p>Confined to the application's thread, except for {@link #running()}, {@link #prepared()}, {@link #isSuspended()},
 * {@link #isNextVersion()}, {@link #isInterested()}, {@link #areMissingTypesDeclared()} and {@link #end()}.
 */
final class ContextLifeCycle
{
    private static final Logger LOG = LoggerFactory.getLogger(ContextLifeCycle.class);

    private final Bundle bundle;

    private final ExtenderSettings.Deployments deployments;

    private final Supplier<String> version;

    private final ContextFactory factory;

    private final TrackedStatus status;

    private final ApplicationThread thread;

    private final StartLimit limit;

    private final ScheduledExecutorService timer;

    private final AwaitedServices awaited;

    private final NamespaceUse namespaces;

    /** Event types of all applications. */
    private final DeclaredTypes types;

    /** Event types of other applications for which the application waits. */
    private volatile Set<String> missingTypes = Set.of();

    private volatile boolean closed;

    private volatile boolean suspended;

    /** Whether new services are relevant, because the files reference some. */
    private volatile boolean interested;

    private volatile RunningContext running;

    /** A prepared context that will replace the context of the previous version. */
    private volatile RunningContext prepared;

    /** Whether the application is only prepared. */
    private volatile boolean isNext;

    /** Distinguishes timeouts of earlier attempts from the current one. */
    private int attempt;

    /** @param version of the bundle whose files run, for the log */
    ContextLifeCycle(final Bundle bundle, final ExtenderSettings.Deployments deployments,
        final Supplier<String> version, final ContextFactory factory, final TrackedStatus status,
        final ApplicationThread thread, final StartLimit limit, final ScheduledExecutorService timer,
        final AwaitedServices awaited, final NamespaceUse namespaces, final DeclaredTypes types)
    {
        this.types = types;
        this.bundle = bundle;
        this.deployments = deployments;
        this.version = version;
        this.factory = factory;
        this.status = status;
        this.thread = thread;
        this.limit = limit;
        this.timer = timer;
        this.awaited = awaited;
        this.namespaces = namespaces;
        suspended = deployments.isSuspended(bundle);
        isNext = deployments.isNextVersion(bundle);
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

    /** Whether the application is only prepared to replace the running version. */
    boolean isNextVersion()
    {
        return isNext;
    }

    /** Whether new services are relevant, because the files reference some. */
    boolean isInterested()
    {
        return interested;
    }

    /** Whether no further context is created: the bundle stops, or the start was abandoned. */
    boolean isEnded()
    {
        return closed || status.isAbandoned();
    }

    /** No further context is created; called before {@link #close}. */
    void end()
    {
        closed = true;
    }

    /** Creates the context, unless there is one. */
    void attempt()
    {
        if (isEnded() || running != null || prepared != null)
        {
            return;
        }
        attempt++;
        awaited.clear();
        namespaces.missesNone();
        missingTypes = Set.of();
        status.set(ApplicationStatus.of(ApplicationState.STARTING));
        deployments.starts(bundle);
        final Future<?> limited = limit.begin();
        try
        {
            refresh(factory.create(what -> status.set(ApplicationStatus.waiting(List.of(what))), this::isEnded));
        }
        // For example, without free file handles the context itself cannot be created.
        catch (final RuntimeException | Error e)
        {
            status.set(ApplicationStatus.failed(FailureTranslator.problems(bundle, e)));
        }
        finally
        {
            limited.cancel(false);
            if (status.isAbandoned())
            {
                // It was interrupted so that it returns; files cannot be changed while the interrupt flag is set.
                Thread.interrupted();
            }
            deployments.hasStarted(bundle);
        }
    }

    private void refresh(final RunningContext context)
    {
        try
        {
            read(context);
            namespaces.used(context.usedNamespaceBundles());
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
                    close();
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
            namespaces.used(context.usedNamespaceBundles());
            if (context.missingTypes().isEmpty() || deployments.requiresOthers(bundle))
            {
                status.set(ApplicationStatus.failed(FailureTranslator.problems(bundle, e)));
            }
            else
            {
                waitForTypes(context.missingTypes());
            }
        }
    }

    private void read(final RunningContext context) throws IOException, DeploymentException
    {
        try
        {
            factory.read(context);
        }
        finally
        {
            // Also when types of another application are missing: that one may wait for types of this one.
            if (!isNext)
            {
                declareTypes(context);
            }
        }
    }

    private void declareTypes(final RunningContext context)
    {
        // After the end nothing would withdraw them.
        if (!isEnded())
        {
            types.declare(this, bundle.getSymbolicName(), context.declaredTypes(), context.usedTypes());
        }
    }

    /** Creates the context if it waits for event types that are declared now. */
    void attemptWithTypes()
    {
        if (areMissingTypesDeclared())
        {
            attempt();
        }
        else if (!missingTypes.isEmpty())
        {
            // They may have been withdrawn after the application was released.
            waitForTypes(missingTypes);
        }
    }

    private void waitForTypes(final Set<String> missing)
    {
        final boolean isNew = !missing.equals(missingTypes);
        missingTypes = missing;
        // Otherwise they were declared in the meantime, and the attempt follows that was submitted then.
        if (!areMissingTypesDeclared())
        {
            if (isNew)
            {
                LOG.info("application {} WAITING, for event types {}", bundle.getSymbolicName(), missing);
            }
            status.heldUp(missing.stream().sorted().map(each -> "event type " + each).toList());
        }
    }

    /** Whether it waits for event types of other applications, all of which are declared now. */
    boolean areMissingTypesDeclared()
    {
        final Set<String> missing = missingTypes;
        return !missing.isEmpty() && missing.stream().allMatch(each -> types.find(each) != null);
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
        if (waiting == attempt && awaited.isAnyMissing() && !isEnded())
        {
            final List<Problem> problems = awaited.problems();
            awaited.clear();
            LOG.warn("application rejected, name={} {}", bundle.getSymbolicName(), problems.get(0).format());
            status.set(ApplicationStatus.failed(problems));
        }
    }

    /** Creates the context again when services that it has lost are available. */
    void attemptWith(final Map<String, Filter> needed)
    {
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

    /** Marks the prepared context as running. */
    void tookOver(final RunningContext context)
    {
        isNext = false;
        prepared = null;
        declareTypes(context);
        runs(context);
    }

    private void runs(final RunningContext context)
    {
        running = context;
        if (status.set(ApplicationStatus.of(suspended ? ApplicationState.SUSPENDED : ApplicationState.RUNNING)))
        {
            LOG.info("application {} {}, version {}", bundle.getSymbolicName(), suspended ? "SUSPENDED" : "RUNNING",
                version.get());
        }
        else
        {
            close();
        }
    }

    /** Pauses the sources; the application stays suspended when its context is created again. */
    void suspend() throws DeploymentException
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
    }

    /** Resumes the sources and runs failed stages again. */
    void resume() throws DeploymentException
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
    }

    /** The bundle stops: other applications do not find its event types any more. */
    void withdrawTypes()
    {
        types.withdraw(this);
    }

    /** Closes the context, if there is one. */
    void close()
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
