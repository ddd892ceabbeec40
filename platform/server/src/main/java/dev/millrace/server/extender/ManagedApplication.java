package dev.millrace.server.extender;

import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.server.extender.bundle.NamespaceRegistry;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/**
 * An active bundle with assembly files: its status and its commands. One dedicated thread executes all work on its
 * context, in order; any thread may read the status.
 */
public final class ManagedApplication
{
    private final Bundle bundle;

    private final TrackedStatus status = new TrackedStatus();

    private final ApplicationThread thread;

    private final StartLimit limit;

    private final ContextLifeCycle contexts;

    private final ContextEvents events;

    private final ApplicationNetwork network;

    private final DeclaredTypes types;

    /** Version of the bundle whose files run; rules of a later version may run in the bundle of an earlier one. */
    private volatile String version;

    ManagedApplication(
        final Bundle bundle, final BundleContext extender, final ExtenderSettings settings,
        final NamespaceRegistry namespaces, final AdvertisedStages advertised, final ScheduledExecutorService timer)
    {
        this.bundle = bundle;
        version = bundle.getVersion().toString();
        thread = new ApplicationThread(bundle.getSymbolicName());
        limit = new StartLimit(bundle, settings.deployments(), status, thread, timer);
        final AwaitedServices awaited = new AwaitedServices(bundle, extender);
        final NamespaceUse used = new NamespaceUse();
        contexts = new ContextLifeCycle(bundle, settings.deployments(), this::version,
            new ContextFactory(bundle, extender, settings, namespaces, advertised), status, thread, limit, timer,
            awaited, used, advertised.types());
        types = advertised.types();
        events = new ContextEvents(bundle, contexts, status, thread, awaited, used);
        network = new ApplicationNetwork(bundle.getSymbolicName(), contexts::running);
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

    /** Returns a snapshot of the status. */
    public ApplicationStatus status()
    {
        return network.status(status.get());
    }

    /** Returns the network, which the application has while its context runs. */
    public ApplicationNetwork network()
    {
        return network;
    }

    /**
     * Describes the copies of its event types in other applications that differ from those that it declares now.
     *
     * @return a sentence for each, may be empty
     */
    public List<String> outdatedCopies()
    {
        return types.outdated(bundle.getSymbolicName());
    }

    /** The context of the application. */
    ContextLifeCycle contexts()
    {
        return contexts;
    }

    /** Receives events of services and bundles. */
    ContextEvents events()
    {
        return events;
    }

    /** The thread of the application, which runs each step of an update. */
    ApplicationThread thread()
    {
        return thread;
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
        return limit.abandon(problems);
    }

    /** Rejects the application if it is still starting; its thread is reported until it returns. */
    public void startTimeIsUp()
    {
        limit.timeIsUp();
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
     * Pauses the sources; the application stays suspended when its context is created again.
     *
     * @throws DeploymentException when a stage does not pause
     */
    public void suspend() throws DeploymentException
    {
        thread.call(contexts::suspend);
    }

    /**
     * Resumes the sources and runs failed stages again.
     *
     * @throws DeploymentException when a stage does not resume
     */
    public void resume() throws DeploymentException
    {
        thread.call(contexts::resume);
    }

    void start()
    {
        thread.later(contexts::attempt);
    }

    /** Closes the context because the bundle stops; returns when the context is closed. */
    void close()
    {
        contexts.end();
        if (!status.isAbandoned())
        {
            thread.await(thread.submit(contexts::close), "stopping bundle");
        }
        thread.shutdown();
        contexts.withdrawTypes();
        status.set(ApplicationStatus.of(ApplicationState.STOPPED));
    }
}
