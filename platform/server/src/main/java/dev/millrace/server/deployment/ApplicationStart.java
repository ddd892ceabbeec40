package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ApplicationStatus;
import dev.millrace.server.extender.ManagedApplication;
import dev.millrace.server.extender.SpringExtender;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;

/** Starts bundles and waits for what becomes of the application in them. Safe for all threads. */
final class ApplicationStart
{
    /** How long a change waits for the application to run before it answers. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    /** How long an application may take to start before that counts as failure. */
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);

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
     * @param bundle installed; one without assembly files is only started
     * @throws DeploymentException when the application fails, or does not get anywhere in time; the bundle is active
     */
    void run(final Bundle bundle) throws DeploymentException
    {
        started(bundle);
    }

    /**
     * Starts the bundle of a version that only gets ready.
     *
     * @param bundle installed beside that of the version that runs
     * @return the application, prepared; {@code null} when the bundle has no assembly files
     * @throws DeploymentException when it fails, waits, or does not get anywhere in time; the bundle may be active
     */
    ManagedApplication prepare(final Bundle bundle) throws DeploymentException
    {
        final ManagedApplication application = started(bundle);
        final ApplicationStatus status = application == null ? null : application.status();
        if (status != null && status.state() != ApplicationState.PREPARED)
        {
            throw Deployed.refuse("SRV-0332", bundle.getSymbolicName(), "the new version cannot start now, state=" +
                status.state() + " waitingFor=" + status.waitingFor(), "install first what offers what it waits for");
        }
        return application;
    }

    private ManagedApplication started(final Bundle bundle) throws DeploymentException
    {
        bundles.start(bundle);
        final ManagedApplication application = extender.get().application(bundle);
        if (application == null)
        {
            return null;
        }
        try
        {
            ApplicationStatus status = application.awaitSettled(SETTLE_NS);
            final long deadlineNs = System.nanoTime() + START_NS;
            while (status.state() == ApplicationState.STARTING && System.nanoTime() - deadlineNs < 0)
            {
                status = application.awaitSettled(SETTLE_NS);
            }
            if (status.state() == ApplicationState.FAILED)
            {
                throw new DeploymentException(status.problems());
            }
            if (status.state() == ApplicationState.STARTING)
            {
                throw Deployed.refuse("SRV-0212", bundle.getSymbolicName(), "the application does not start in time, "
                    + "limitSeconds=" + TimeUnit.NANOSECONDS.toSeconds(START_NS),
                    "a bean or stage hangs while it is made; take a thread dump");
            }
            return application;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw Deployed.refuse("SRV-0212", bundle.getSymbolicName(), "interrupted while the application started",
                "try again");
        }
    }
}
