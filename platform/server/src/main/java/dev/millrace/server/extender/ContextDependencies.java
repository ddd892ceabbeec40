package dev.millrace.server.extender;

import dev.millrace.server.extender.osgi.ContextServices;
import dev.millrace.server.extender.osgi.ServiceDependency;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/**
 * The services that a context uses: those that its files reference, whose changes its listeners receive, and the
 * providers that its network has captured. Confined to the application's thread.
 */
public final class ContextDependencies
{
    private static final Logger LOG = LoggerFactory.getLogger(ContextDependencies.class);

    private final Bundle bundle;

    private final BundleContext bundleContext;

    private final ContextServices dependencies;

    private final ApplicationServices services;

    private final BeanFactory context;

    ContextDependencies(final Bundle bundle, final ContextServices dependencies, final ApplicationServices services,
        final BeanFactory context)
    {
        this.bundle = bundle;
        bundleContext = bundle.getBundleContext();
        this.dependencies = dependencies;
        this.services = services;
        this.context = context;
    }

    /** The services that the files reference. */
    List<ServiceDependency> all()
    {
        return dependencies.dependencies();
    }

    /** Filters of the providers that the network uses, by service. */
    Map<ServiceReference<?>, String> captured()
    {
        return services.captured();
    }

    /** Captures the referenced services before beans are created. */
    void capture(final List<ServiceReference<?>> leaving) throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : all())
        {
            dependency.capture(bundleContext, leaving);
        }
    }

    /** Tells listeners about all services that are held. */
    void tellAll(final boolean bind)
    {
        all().forEach(dependency -> dependency.held().forEach(
            (reference, service) -> tell(dependency, reference, service, bind)));
    }

    /** A service was registered: adds it to lists and to empty optional references, and notifies listeners. */
    void arrived(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : all())
        {
            final Object service = dependency.arrived(bundleContext, reference);
            if (service != null)
            {
                tell(dependency, reference, service, true);
            }
        }
    }

    /** Whether the context can continue without a service. */
    boolean survives(final ServiceReference<?> reference)
    {
        return !services.captured().containsKey(reference) && all().stream()
            .noneMatch(dependency -> dependency.loss(reference) == ServiceDependency.Loss.REBUILD);
    }

    /** Whether the context holds a service. */
    boolean holds(final ServiceReference<?> reference)
    {
        return services.captured().containsKey(reference)
            || all().stream().anyMatch(dependency -> dependency.held().containsKey(reference));
    }

    /** Whether a held service whose properties changed still matches. */
    boolean stillWanted(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : all())
        {
            if (dependency.held().containsKey(reference) && !dependency.filter(bundleContext).match(reference))
            {
                return false;
            }
        }
        final String filter = services.captured().get(reference);
        return filter == null || bundleContext.createFilter(filter).match(reference);
    }

    /** Releases a service that the context can continue without. */
    void gone(final ServiceReference<?> reference, final List<ServiceReference<?>> leaving)
        throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : all())
        {
            if (dependency.held().containsKey(reference))
            {
                tell(dependency, reference, dependency.held().get(reference), false);
                dependency.drop(bundleContext, reference);
                for (final ServiceReference<?> other : dependency.candidates(bundleContext, leaving))
                {
                    final Object service = dependency.arrived(bundleContext, other);
                    if (service != null)
                    {
                        tell(dependency, other, service, true);
                    }
                }
            }
        }
    }

    /**
     * Releases the referenced services.
     *
     * @param step runs each step by its name, also after one that failed
     */
    void release(final BiConsumer<String, Runnable> step)
    {
        all().forEach(dependency -> step.accept("release services", () -> dependency.release(bundleContext)));
    }

    private void tell(
        final ServiceDependency dependency, final ServiceReference<?> reference, final Object service,
        final boolean bind)
    {
        for (final ServiceDependency.Listener listener : dependency.listeners())
        {
            final String method = bind ? listener.bindMethod() : listener.unbindMethod();
            if (method != null)
            {
                call(listener.beanName(), method, reference, service);
            }
        }
    }

    private void call(
        final String beanName, final String method, final ServiceReference<?> reference, final Object service)
    {
        try
        {
            ListenerCall.invoke(context.getBean(beanName), method, reference, service);
        }
        catch (final InvocationTargetException e)
        {
            LOG.warn("SRV-0308: listener failed, application={} bean={} method={}", bundle.getSymbolicName(),
                beanName, method, e.getCause());
        }
        catch (final ReflectiveOperationException e)
        {
            LOG.warn("SRV-0308: listener cannot be called, application={} bean={} method={} reason={} hint: its"
                + " argument is the service, the service and a Map, or the ServiceReference", bundle.getSymbolicName(),
                beanName, method, e.toString());
        }
    }
}
