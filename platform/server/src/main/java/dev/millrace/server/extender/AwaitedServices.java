package dev.millrace.server.extender;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * The mandatory services that an application waits for, and those that are about to go. For the application's thread;
 * {@link #leaves} may be called by any.
 */
final class AwaitedServices
{
    private final Bundle bundle;

    private final BundleContext extender;

    /** Services that are being unregistered: still to be found, but not to be taken any more. */
    private final List<ServiceReference<?>> leaving = new CopyOnWriteArrayList<>();

    /** Filters of what is missing, by description; empty unless the application waits. */
    private Map<String, Filter> missing = Map.of();

    private long timeoutMs;

    AwaitedServices(final Bundle bundle, final BundleContext extender)
    {
        this.bundle = bundle;
        this.extender = extender;
    }

    /** Services that are about to go. */
    List<ServiceReference<?>> leaving()
    {
        return leaving;
    }

    /** A service is about to go. */
    void leaves(final ServiceReference<?> reference)
    {
        leaving.removeIf(old -> old.getBundle() == null);
        leaving.add(reference);
    }

    /** Nothing is missing any more, or nobody waits. */
    void clear()
    {
        missing = Map.of();
    }

    /** Something has to come back. */
    void miss(final Map<String, Filter> needed)
    {
        missing = needed;
    }

    /** Looks for all mandatory services; true when any is missing. */
    boolean missFor(final List<ServiceDependency> dependencies) throws InvalidSyntaxException
    {
        final Map<String, Filter> absent = new LinkedHashMap<>();
        timeoutMs = Long.MAX_VALUE;
        for (final ServiceDependency dependency : dependencies)
        {
            if (dependency.settings().mandatory()
                && dependency.candidates(bundle.getBundleContext(), leaving).isEmpty())
            {
                absent.put(dependency.description(), dependency.filter(bundle.getBundleContext()));
                timeoutMs = Math.min(timeoutMs, dependency.settings().timeoutMs());
            }
        }
        missing = absent;
        return !absent.isEmpty();
    }

    /** How long to wait for what the last search missed, in milliseconds. */
    long timeoutMs()
    {
        return timeoutMs;
    }

    boolean isAnyMissing()
    {
        return !missing.isEmpty();
    }

    List<String> descriptions()
    {
        return List.copyOf(missing.keySet());
    }

    /** Whether all that was missing is there. */
    boolean areAllThere()
    {
        return missing.values().stream().allMatch(this::isThere);
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

    /** What is missing, as problems of an application that waits no longer. */
    List<Problem> problems()
    {
        return missing.keySet().stream().map(what -> new Problem("SRV-0304",
            new SourcePosition(bundle.getSymbolicName(), 0, 0), "did not come in time: " + what,
            "install the bundle that offers it and update this application, or raise timeout of its"
                + " osgi:reference", "")).toList();
    }

    /** What has to come back before a context that loses a service can be made again. */
    Map<String, Filter> needed(final RunningContext running, final ServiceReference<?> reference)
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
}
