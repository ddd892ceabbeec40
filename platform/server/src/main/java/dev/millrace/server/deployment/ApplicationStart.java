package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;

/** Starts bundles and waits until the application in them runs, waits or fails. Thread-safe. */
final class ApplicationStart
{
    /** How long a change waits for an application that itself waits for services. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    private final ApplicationBundles bundles;

    private final Supplier<SpringExtender> extender;

    ApplicationStart(final ApplicationBundles bundles, final Supplier<SpringExtender> extender)
    {
        this.bundles = bundles;
        this.extender = extender;
    }

    /**
     * Starts a bundle.
     *
     * @param bundle    an installed bundle; one without assembly files is only started
     * @param timeoutNs limit for its activator, and then for its beans and stages
     * @throws DeploymentException when the application fails or does not settle in time; the bundle is active
     */
    void run(final Bundle bundle, final long timeoutNs) throws DeploymentException
    {
        started(bundle, timeoutNs);
    }

    /**
     * Starts the bundle of a new version and prepares its application without activating it.
     *
     * @param bundle a bundle installed next to the running version
     * @return the prepared application; {@code null} when the bundle has no assembly files
     * @throws DeploymentException when it fails, waits or does not settle in time; the bundle may be active
     */
    ManagedApplication prepare(final Bundle bundle, final long timeoutNs) throws DeploymentException
    {
        final ManagedApplication application = started(bundle, timeoutNs);
        final ApplicationStatus status = application == null ? null : application.status();
        if (status != null && status.state() != ApplicationState.PREPARED)
        {
            throw DeploymentRegistry.refuse("SRV-0332", bundle.getSymbolicName(),
                "the new version cannot start now, state=" +
                status.state() + " waitingFor=" + status.waitingFor(),
                "first install the bundles that provide the services it waits for");
        }
        return application;
    }

    private ManagedApplication started(final Bundle bundle, final long timeoutNs) throws DeploymentException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        bundles.start(bundle, timeoutNs);
        final ManagedApplication application = extender.get().application(bundle);
        if (application == null)
        {
            return null;
        }
        try
        {
            ApplicationStatus status = application.awaitSettled(Math.min(timeoutNs, SETTLE_NS));
            while (status.state() == ApplicationState.STARTING && System.nanoTime() - deadlineNs < 0)
            {
                status = application.awaitSettled(
                    Math.max(1, Math.min(SETTLE_NS, deadlineNs - System.nanoTime())));
            }
            if (status.state() == ApplicationState.STARTING)
            {
                application.startTimeIsUp();
                status = application.status();
            }
            if (status.state() == ApplicationState.FAILED)
            {
                throw new DeploymentException(status.problems());
            }
            if (status.state() == ApplicationState.STOPPED)
            {
                throw DeploymentRegistry.refuse("SRV-0235", bundle.getSymbolicName(),
                    "the application was stopped while it started", "see the server's log, then install it again");
            }
            return application;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw DeploymentRegistry.refuse("SRV-0237", bundle.getSymbolicName(),
                "interrupted while the application started",
                "try again");
        }
    }
}
