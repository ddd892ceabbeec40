package dev.millrace.server.extender;

import dev.millrace.network.Network;
import dev.millrace.network.NetworkState;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.Predecessor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of an update from one version of an application to the next: the earlier version pauses, the next one opens
 * its resources, then takes over or the earlier one continues. Thread-safe; the steps run on the application's thread.
 */
public final class VersionHandover
{
    private static final Logger LOG = LoggerFactory.getLogger(VersionHandover.class);

    /** Limit for each step: sources pause, beans open their resources. */
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(30);

    private final ManagedApplication application;

    private final ApplicationThread thread;

    /**
     * @param application the earlier or the next version
     */
    public VersionHandover(final ManagedApplication application)
    {
        this.application = application;
        this.thread = application.thread();
    }

    private String name()
    {
        return application.bundle().getSymbolicName();
    }

    /**
     * Pauses for the next version, as {@link ManagedApplication#suspend} does; the status remains running.
     *
     * @return description of the state of its queries, by processor; empty when there is no network
     * @throws DeploymentException when it does not pause in time
     */
    public Map<String, Map<String, String>> stepAside() throws DeploymentException
    {
        return thread.await("pause for the next version", STEP_NS, () ->
        {
            final RunningContext context = application.contexts().running();
            if (context == null)
            {
                return Map.of();
            }
            if (!application.contexts().isSuspended())
            {
                try
                {
                    context.suspend();
                }
                catch (final DeploymentException e)
                {
                    LOG.warn("application did not pause cleanly for its next version, name={}\n{}", name(),
                        e.getMessage());
                }
            }
            return context.network().rules().heldState();
        });
    }

    /**
     * Continues after {@link #stepAside}, because the next version was rejected.
     *
     * @return ids of the sources that were closed and had to be created again
     * @throws DeploymentException when a stage does not continue; the others continue
     */
    public List<String> goOn() throws DeploymentException
    {
        return thread.await("continue after a rejected version", STEP_NS, () ->
        {
            final RunningContext context = application.contexts().running();
            return context == null ? List.of() : context.goOn(!application.contexts().isSuspended());
        });
    }

    /** Like {@link #goOn}, for a version whose network was not paused as a whole. */
    List<String> renew() throws DeploymentException
    {
        return thread.await("open again after a rejected version", STEP_NS, () ->
        {
            final RunningContext context = application.contexts().running();
            return context == null ? List.of() : context.goOn(false);
        });
    }

    <T> T step(final String what, final Callable<T> work) throws DeploymentException
    {
        return thread.await(what, STEP_NS, work);
    }

    boolean release(final String stageId, final Set<String> next)
    {
        try
        {
            return thread.await("close for the next version", STEP_NS, () ->
            {
                final RunningContext context = application.contexts().running();
                return context != null && context.release(stageId, next);
            });
        }
        catch (final DeploymentException e)
        {
            LOG.warn("sources could not be closed for the next version, name={}\n{}", name(), e.getMessage());
            return false;
        }
    }

    /**
     * Opens the resources of a prepared version.
     *
     * @param before the paused version, or {@code null}
     * @throws DeploymentException when that fails; the caller closes it
     */
    public void activate(final ManagedApplication before) throws DeploymentException
    {
        thread.await("open adapters and beans", STEP_NS, () ->
        {
            existing(application.contexts().prepared()).activate(
                before == null ? Predecessor.NONE : new VersionHandover(before)::release);
            return null;
        });
    }

    /**
     * Runs an activated version; the previous one must have ended.
     *
     * @throws DeploymentException when that fails; the caller closes it
     */
    public void takeOver() throws DeploymentException
    {
        thread.await("start the network", STEP_NS, () ->
        {
            final RunningContext context = existing(application.contexts().prepared());
            context.takeOver(!application.contexts().isSuspended());
            application.contexts().tookOver(context);
            return null;
        });
    }

    private RunningContext existing(final RunningContext context) throws DeploymentException
    {
        if (context == null)
        {
            throw new DeploymentException("SRV-0331", new SourcePosition(name(), 0, 0),
                "a service that the new version uses was unregistered during preparation",
                "try again when it is available");
        }
        return context;
    }

    /**
     * Returns the rules of a prepared version if nothing else differs from the running version.
     *
     * @param before the running version
     * @return rules by processor, bound; empty when something else differs or the running version has failed or stopped
     */
    public Optional<Map<String, List<Rule>>> onlyRulesFor(final ManagedApplication before)
    {
        final RunningContext now = before.contexts().running();
        final RunningContext next = application.contexts().prepared();
        final Network network = now == null ? null : now.network();
        return next == null || network == null || network.state() == NetworkState.FAILED ||
            network.state() == NetworkState.STOPPED || !next.frame().equals(now.frame()) ? Optional.empty() :
            Optional.of(next.preparedRules());
    }

    /**
     * Returns the rules that a prepared version will run.
     *
     * @return by processor, bound
     */
    public Map<String, List<Rule>> preparedRules()
    {
        final RunningContext next = application.contexts().prepared();
        return next == null ? Map.of() : next.preparedRules();
    }
}
