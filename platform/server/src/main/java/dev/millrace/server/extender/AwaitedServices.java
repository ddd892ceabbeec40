package dev.millrace.server.extender;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.extender.osgi.ServiceDependency;
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
 * The mandatory services that an application waits for, and services that are being unregistered. Confined to the
 * application's thread, except {@link #leaves}, which any thread may call.
 */
public final class AwaitedServices
{
    private final Bundle bundle;

    private final BundleContext extender;

    /** Services that are being unregistered: they can still be found but must not be used. */
    private final List<ServiceReference<?>> leaving = new CopyOnWriteArrayList<>();

    /** Filters of the missing services, by description; empty unless the application waits. */
    private Map<String, Filter> missing = Map.of();

    private long timeoutMs;

    public AwaitedServices(final Bundle bundle, final BundleContext extender)
    {
        this.bundle = bundle;
        this.extender = extender;
    }

    /** Returns the services that are being unregistered. */
    public List<ServiceReference<?>> leaving()
    {
        return leaving;
    }

    /** Records a service that is being unregistered. */
    public void leaves(final ServiceReference<?> reference)
    {
        leaving.removeIf(old -> old.getBundle() == null);
        leaving.add(reference);
    }

    /** Clears the missing services. */
    public void clear()
    {
        missing = Map.of();
    }

    /** Sets the missing services. */
    public void miss(final Map<String, Filter> needed)
    {
        missing = needed;
    }

    /** Searches for all mandatory services; true when any is missing. */
    public boolean missFor(final List<ServiceDependency> dependencies) throws InvalidSyntaxException
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

    /** Returns the time to wait for the services missing at the last search, in milliseconds. */
    public long timeoutMs()
    {
        return timeoutMs;
    }

    public boolean isAnyMissing()
    {
        return !missing.isEmpty();
    }

    public List<String> descriptions()
    {
        return List.copyOf(missing.keySet());
    }

    /** Whether all missing services are available now. */
    public boolean areAllThere()
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
            throw new IllegalStateException("internal error: the filter was created from this text", e);
        }
    }

    /** Returns the missing services as problems, for an application that stops waiting. */
    public List<Problem> problems()
    {
        return missing.keySet().stream().map(what -> new Problem("SRV-0304",
            new SourcePosition(bundle.getSymbolicName(), 0, 0), "not available in time: " + what,
            "install the bundle that provides it and update this application, or raise timeout of its"
                + " osgi:reference", "")).toList();
    }

    /** Returns the services that must return before a context that loses a service can be created again. */
    public Map<String, Filter> needed(final ContextDependencies used, final ServiceReference<?> reference)
        throws InvalidSyntaxException
    {
        final Map<String, Filter> needed = new LinkedHashMap<>();
        for (final ServiceDependency dependency : used.all())
        {
            if (dependency.settings().mandatory() && dependency.held().containsKey(reference))
            {
                needed.put(dependency.description(), dependency.filter(bundle.getBundleContext()));
            }
        }
        final String provider = used.captured().get(reference);
        if (provider != null)
        {
            needed.put("service " + provider, FrameworkUtil.createFilter(provider));
        }
        return needed;
    }
}
