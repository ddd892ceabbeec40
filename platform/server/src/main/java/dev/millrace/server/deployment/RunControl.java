package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.deployment.DeploymentRegistry.Entry;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ManagedApplication;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspends, resumes and restarts deployed applications. The caller holds the lock of the application. A change is
 * written before it is made: when it cannot be written, the application remains unchanged.
 */
final class RunControl
{
    private static final Logger LOG = LoggerFactory.getLogger(RunControl.class);

    private final ApplicationBundles bundles;

    private final DeploymentRegistry deployed;

    private final DeploymentRecord list;

    private final Quarantine quarantine;

    private final StartupRestore restoration;

    private final ApplicationStart start;

    RunControl(final ApplicationBundles bundles, final DeploymentRegistry deployed, final DeploymentRecord list,
        final Quarantine quarantine, final StartupRestore restoration, final ApplicationStart start)
    {
        this.bundles = bundles;
        this.deployed = deployed;
        this.list = list;
        this.quarantine = quarantine;
        this.restoration = restoration;
        this.start = start;
    }

    /** Suspends or resumes an application and stores that state; resuming a quarantined application starts it. */
    void setSuspended(final Entry entry, final boolean suspended) throws IOException, DeploymentException
    {
        if (entry.isQuarantined() && !suspended)
        {
            release(entry);
            return;
        }
        final String name = entry.deployment().name();
        final ManagedApplication application = deployed.managed(entry);
        final ApplicationState state = deployed.status(entry).state();
        if (application == null || state == ApplicationState.FAILED && !application.network().isRunning())
        {
            throw DeploymentRegistry.refuse(
                "SRV-0208", name, "the application does not run, state=" + state,
                "its status shows the reason; correct it and restart the application");
        }
        final boolean isChange = suspended != entry.deployment().suspended();
        if (isChange)
        {
            list.put(new Entry(entry.deployment().withSuspended(suspended), entry.bundle(), List.of()));
        }
        boolean isDone = false;
        try
        {
            if (!suspended)
            {
                // Also when it is not suspended: failed stages run again.
                application.resume();
            }
            else if (isChange)
            {
                application.suspend();
            }
            isDone = true;
        }
        finally
        {
            if (isChange && !isDone)
            {
                list.put(entry);
            }
        }
    }

    /** Restarts an application from its deployed bundle; its state is lost. */
    void restart(final Entry entry) throws IOException, DeploymentException
    {
        if (entry.bundle() == null)
        {
            release(entry);
            return;
        }
        final String name = entry.deployment().name();
        final Entry anew = new Entry(entry.deployment().withSuspended(false), entry.bundle(), List.of());
        // Written first: when the disk is full, the application keeps running and the error is accurate.
        list.put(anew);
        bundles.stop(entry.bundle());
        start(anew);
        LOG.info("application restarted, name={}", name);
    }

    /**
     * Starts an application that is not installed or is in quarantine; it returns to quarantine if it ends the process.
     */
    private void release(final Entry quarantined) throws IOException, DeploymentException
    {
        final Entry entry = restoration.install(quarantined.deployment().withSuspended(false));
        if (entry.bundle() == null)
        {
            throw new DeploymentException(entry.problems());
        }
        list.put(entry);
        start(entry);
        LOG.info("application started, name={}", entry.deployment().name());
    }

    /** Starts a deployed application that has just been installed in the framework. */
    void start(final Entry entry) throws DeploymentException
    {
        final String name = entry.deployment().name();
        deployed.put(entry);
        quarantine.starts(name);
        try
        {
            start.run(entry.bundle(), entry.deployment().startNs());
        }
        catch (final DeploymentException e)
        {
            // An application with a context keeps its own problems and may recover by resume.
            if (deployed.managed(entry) == null)
            {
                deployed.put(new Entry(entry.deployment(), entry.bundle(), e.problems()));
            }
            throw e;
        }
        finally
        {
            quarantine.hasStarted(name);
        }
    }
}
