package dev.millrace.server.extender.osgi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * An {@code osgi:reference}, {@code osgi:list} or {@code osgi:set} of one context and the services it holds. Confined
 * to the application's thread, except {@link #view()}, which beans use on any thread.
 */
public final class ServiceDependency
{
    /** One service or many. */
    enum Kind
    {
        /** {@code osgi:reference}. */
        REFERENCE,
        /** {@code osgi:list}. */
        LIST,
        /** {@code osgi:set}. */
        SET
    }

    /** Effect of the loss of a service on the context. */
    public enum Loss
    {
        /** It was not held. */
        NONE,
        /** The context continues. */
        BORNE,
        /** The context holds an object that is no longer valid, so it is created again without it. */
        REBUILD
    }

    /**
     * The settings of the element.
     *
     * @param interfaces at least one
     * @param filter     filter of the element, or {@code null}
     * @param beanName   value of the service property {@code org.springframework.osgi.bean.name}, or {@code null}
     * @param mandatory  whether the context needs at least one
     * @param timeoutMs  initial wait
     */
    public record Settings(
        Kind kind, List<String> interfaces, String filter, String beanName, boolean mandatory, long timeoutMs)
    {
    }

    /**
     * A bean that is notified.
     *
     * @param bindMethod   called when a service is added, or {@code null}
     * @param unbindMethod called when a service is removed, or {@code null}
     */
    public record Listener(String beanName, String bindMethod, String unbindMethod)
    {
    }

    private final Settings settings;

    private final List<Listener> listeners = new ArrayList<>();

    private final Map<ServiceReference<?>, Object> held = new LinkedHashMap<>();

    private final ServiceCollection view = new ServiceCollection();

    private Filter compiled;

    ServiceDependency(final Settings settings)
    {
        this.settings = settings;
    }

    public Settings settings()
    {
        return settings;
    }

    public List<Listener> listeners()
    {
        return listeners;
    }

    /** Returns the current services; the same object for the life of the context. */
    ServiceCollection view()
    {
        return view;
    }

    /** Returns the service of a reference, or {@code null}. */
    Object single()
    {
        return held.isEmpty() ? null : held.values().iterator().next();
    }

    public Map<ServiceReference<?>, Object> held()
    {
        return Collections.unmodifiableMap(held);
    }

    public Filter filter(final BundleContext context) throws InvalidSyntaxException
    {
        if (compiled == null)
        {
            final StringBuilder text = new StringBuilder("(&");
            settings.interfaces.forEach(name -> text.append('(').append(Constants.OBJECTCLASS).append('=')
                .append(name).append(')'));
            if (settings.filter != null)
            {
                text.append(settings.filter);
            }
            if (settings.beanName != null)
            {
                text.append('(').append(ServiceExport.BEAN_NAME_PROPERTY).append('=')
                    .append(ServiceFilters.escape(settings.beanName)).append(')');
            }
            compiled = context.createFilter(text.append(')').toString());
        }
        return compiled;
    }

    /** Returns the description shown while the context waits. */
    public String description()
    {
        return "service " + String.join(" and ", settings.interfaces)
            + (settings.filter == null ? "" : ' ' + settings.filter)
            + (settings.beanName == null ? "" : " bean-name=" + settings.beanName);
    }

    /** Returns matching services, best first. */
    public List<ServiceReference<?>> candidates(final BundleContext context, final List<ServiceReference<?>> leaving)
        throws InvalidSyntaxException
    {
        final ServiceReference<?>[] found =
            context.getServiceReferences((String)null, filter(context).toString());
        final List<ServiceReference<?>> candidates =
            new ArrayList<>(found == null ? List.of() : List.of(found));
        candidates.removeAll(leaving);
        candidates.sort(Collections.reverseOrder());
        return candidates;
    }

    /** Acquires the available services: the best one for a reference, all for a list. */
    public void capture(final BundleContext context,
        final List<ServiceReference<?>> leaving) throws InvalidSyntaxException
    {
        for (final ServiceReference<?> reference : candidates(context, leaving))
        {
            if (settings.kind == Kind.REFERENCE && !held.isEmpty())
            {
                return;
            }
            hold(context, reference);
        }
    }

    /** Acquires a new service if it is needed; returns it, or {@code null}. */
    public Object arrived(final BundleContext context,
        final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        final boolean wanted = !held.containsKey(reference)
            && (settings.kind != Kind.REFERENCE || held.isEmpty())
            && filter(context).match(reference);
        return wanted ? hold(context, reference) : null;
    }

    private Object hold(final BundleContext context, final ServiceReference<?> reference)
    {
        final Object service = context.getService(reference);
        if (service != null)
        {
            held.put(reference, service);
            view.set(sorted());
        }
        return service;
    }

    private List<Object> sorted()
    {
        final List<ServiceReference<?>> references = new ArrayList<>(held.keySet());
        references.sort(Collections.reverseOrder());
        final List<Object> services = new ArrayList<>(references.size());
        references.forEach(reference -> services.add(held.get(reference)));
        return services;
    }

    /** Returns the effect of losing a service. */
    public Loss loss(final ServiceReference<?> reference)
    {
        if (!held.containsKey(reference))
        {
            return Loss.NONE;
        }
        if (settings.mandatory)
        {
            return settings.kind == Kind.REFERENCE || held.size() == 1 ? Loss.REBUILD : Loss.BORNE;
        }
        // An optional service without listeners is stored in a field of a bean, which could not be notified.
        return settings.kind == Kind.REFERENCE && listeners.isEmpty() ? Loss.REBUILD : Loss.BORNE;
    }

    /** Releases one service. */
    public void drop(final BundleContext context, final ServiceReference<?> reference)
    {
        held.remove(reference);
        view.set(sorted());
        context.ungetService(reference);
    }

    /** Releases all services. */
    public void release(final BundleContext context)
    {
        List.copyOf(held.keySet()).forEach(reference -> drop(context, reference));
    }
}
