package dev.millrace.server.extender;

import java.util.List;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.Filter;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events of services and namespace bundles to the context of an application, and closes it when it loses one
 * that it needs. Thread-safe: the work is done on the application's thread.
 */
final class ContextEvents
{
    private static final Logger LOG = LoggerFactory.getLogger(ContextEvents.class);

    private final Bundle bundle;

    private final ContextLifeCycle contexts;

    private final TrackedStatus status;

    private final ApplicationThread thread;

    private final AwaitedServices awaited;

    private final NamespaceUse namespaces;

    ContextEvents(final Bundle bundle, final ContextLifeCycle contexts, final TrackedStatus status,
        final ApplicationThread thread, final AwaitedServices awaited, final NamespaceUse namespaces)
    {
        this.bundle = bundle;
        this.contexts = contexts;
        this.status = status;
        this.thread = thread;
        this.awaited = awaited;
        this.namespaces = namespaces;
    }

    /** A service was registered or its properties changed. Does not block. */
    void serviceChanged(final ServiceReference<?> reference)
    {
        if (!contexts.isInterested())
        {
            return;
        }
        thread.submit(() ->
        {
            if (contexts.running() != null)
            {
                final ContextDependencies used = contexts.running().dependencies();
                if (used.holds(reference) && !used.stillWanted(reference))
                {
                    lose(reference);
                }
                else
                {
                    used.arrived(reference);
                }
            }
            else if (awaited.isAnyMissing() && awaited.areAllThere())
            {
                contexts.attempt();
            }
        });
    }

    /**
     * A service is being unregistered. Called by the thread that unregisters it; returns when the service is no longer
     * used.
     */
    void serviceLeaving(final ServiceReference<?> reference)
    {
        if (contexts.isEnded() || thread.isShutdown())
        {
            return;
        }
        final boolean mightHold = contexts.running() != null || contexts.prepared() != null || status.isStarting();
        if (!mightHold)
        {
            return;
        }
        awaited.leaves(reference);
        thread.await(thread.submit(() ->
        {
            if (contexts.running() != null && contexts.running().dependencies().holds(reference))
            {
                lose(reference);
            }
            else if (contexts.prepared() != null && contexts.prepared().dependencies().holds(reference))
            {
                contexts.close();
            }
        }), "unregistered service");
    }

    private void lose(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        final ContextDependencies used = contexts.running().dependencies();
        if (used.survives(reference))
        {
            used.gone(reference, awaited.leaving());
            return;
        }
        final Map<String, Filter> needed = awaited.needed(used, reference);
        LOG.info("application {} is closed because a service it uses was unregistered, service={}",
            bundle.getSymbolicName(), reference);
        contexts.close();
        contexts.attemptWith(needed);
    }

    /** Another application has declared its event types. Does not block. */
    void typesDeclared()
    {
        if (contexts.isEnded())
        {
            return;
        }
        if (contexts.areMissingTypesDeclared())
        {
            // Immediately, so that the server waits for it while it starts.
            status.released();
        }
        thread.submit(contexts::attemptWithTypes);
    }

    /** A namespace bundle stops or loses its wiring. Returns when it is no longer used. */
    void namespaceLeaving(final Bundle namespace)
    {
        if (!contexts.isEnded() && namespaces.isUsed(namespace))
        {
            thread.await(thread.submit(() ->
            {
                if (contexts.running() != null)
                {
                    LOG.info("application {} is closed because a namespace bundle stops, bundle={}",
                        bundle.getSymbolicName(), namespace.getSymbolicName());
                    contexts.close();
                    namespaces.misses(namespace);
                    status.set(ApplicationStatus.waiting(
                        List.of("namespace bundle " + namespace.getSymbolicName())));
                }
            }), "stopping namespace bundle");
        }
    }

    /** A namespace bundle has returned or was uninstalled. Does not block. */
    void namespaceSettled(final Bundle namespace)
    {
        if (!contexts.isEnded() && namespaces.isMissing(namespace))
        {
            thread.submit(contexts::attempt);
        }
    }
}
