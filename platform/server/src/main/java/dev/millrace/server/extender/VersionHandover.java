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
 * The steps from one version of an application to the next: the earlier one steps aside, the next one opens what it
 * needs, then takes over; or the earlier one goes on. Safe for all threads; the steps run on the application's thread.
 */
public final class VersionHandover
{
    private static final Logger LOG = LoggerFactory.getLogger(VersionHandover.class);

    /** How long each step may take: sources pause, beans open what they need. */
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(30);

    private final ManagedApplication application;

    private final ApplicationThread thread;

    VersionHandover(final ManagedApplication application, final ApplicationThread thread)
    {
        this.application = application;
        this.thread = thread;
    }

    private String name()
    {
        return application.bundle().getSymbolicName();
    }

    /**
     * Pauses for the next version, as {@link ManagedApplication#suspend} does; the application still counts as running.
     *
     * @return the state that its queries hold, in words, by processor; nothing when there is no network
     * @throws DeploymentException when it does not pause in time
     */
    public Map<String, Map<String, String>> stepAside() throws DeploymentException
    {
        return thread.await("pause for the next version", STEP_NS, () ->
        {
            final RunningContext context = application.running();
            if (context == null)
            {
                return Map.of();
            }
            if (!application.isSuspended())
            {
                try
                {
                    context.suspend();
                }
                catch (final DeploymentException e)
                {
                    LOG.warn("application does not pause cleanly for its next version, name={}\n{}", name(),
                        e.getMessage());
                }
            }
            return context.network().heldState();
        });
    }

    /**
     * Goes on after {@link #stepAside}, because the next version was refused.
     *
     * @return ids of the sources that had to be made anew, for they were closed
     * @throws DeploymentException when a stage does not go on; the others do
     */
    public List<String> goOn() throws DeploymentException
    {
        return thread.await("go on after a refused version", STEP_NS, () ->
        {
            final RunningContext context = application.running();
            return context == null ? List.of() : context.goOn(!application.isSuspended());
        });
    }

    /** The same for a version whose network was not paused as a whole. */
    List<String> renew() throws DeploymentException
    {
        return thread.await("open again after a refused version", STEP_NS, () ->
        {
            final RunningContext context = application.running();
            return context == null ? List.of() : context.goOn(false);
        });
    }

    <T> T step(final String what, final Callable<T> work) throws DeploymentException
    {
        return thread.await(what, STEP_NS, work);
    }

    /**
     * Compares this prepared version with one whose network may go on.
     *
     * @param before the version that runs
     * @return the way; {@code null} when one of the two has no network
     */
    public NetworkTransfer networkOf(final ManagedApplication before)
    {
        final RunningContext from = before.running();
        final RunningContext to = application.prepared();
        return from == null || from.network() == null || to == null ? null :
            new NetworkTransfer(before.handover(), from, this, to);
    }

    boolean release(final String stageId, final Set<String> next)
    {
        try
        {
            return thread.await("close for the next version", STEP_NS, () ->
            {
                final RunningContext context = application.running();
                return context != null && context.release(stageId, next);
            });
        }
        catch (final DeploymentException e)
        {
            LOG.warn("sources cannot be closed for the next version, name={}\n{}", name(), e.getMessage());
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
            existing(application.prepared()).activate(
                before == null ? Predecessor.NONE : before.handover()::release);
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
            final RunningContext context = existing(application.prepared());
            context.takeOver(!application.isSuspended());
            application.tookOver(context);
            return null;
        });
    }

    private RunningContext existing(final RunningContext context) throws DeploymentException
    {
        if (context == null)
        {
            throw new DeploymentException("SRV-0331", new SourcePosition(name(), 0, 0),
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
        final RunningContext now = before.running();
        final RunningContext next = application.prepared();
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
        final RunningContext next = application.prepared();
        return next == null ? Map.of() : next.preparedRules();
    }
}
