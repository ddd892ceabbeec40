package dev.millrace.assembly.oep;

import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.oep.Service;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.BiFunction;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Calls the setters of beans that have the annotation {@link Service}. Confined to the deploying thread. */
public final class ServiceInjector implements BeanPostProcessor
{
    private final MigratedTypes types;
    private final BiFunction<Class<?>, String, Object> services;

    /**
     * Creates an injector.
     *
     * @param types    event types of the application
     * @param services finds a service by its interface and filter, which may be empty; returns {@code null} if there
     *                 is none
     */
    public ServiceInjector(
        final EventTypeRepository types, final BiFunction<Class<?>, String, Object> services)
    {
        this.types = new MigratedTypes(types);
        this.services = services;
    }

    @Override
    public Object postProcessBeforeInitialization(final Object bean, final String beanName)
    {
        for (final Method method : bean.getClass().getMethods())
        {
            final Service service = method.getAnnotation(Service.class);
            if (service != null && !method.isBridge())
            {
                inject(bean, method, service);
            }
        }
        return bean;
    }

    private void inject(final Object bean, final Method setter, final Service service)
    {
        if (setter.getParameterCount() != 1)
        {
            throw new IllegalStateException("a setter with @Service needs one parameter, method=" + setter);
        }
        final Class<?> parameter = setter.getParameterTypes()[0];
        final Class<?> type = service.serviceType() == Object.class ? parameter : service.serviceType();
        final Object found = type == dev.millrace.api.oep.EventTypeRepository.class ? types :
            services.apply(type, service.filter());
        if (!parameter.isInstance(found))
        {
            throw new IllegalStateException("the service of the setter is not available, method=" + setter.getName() +
                " service=" + type.getName() + (service.filter().isEmpty() ? "" : " filter=" + service.filter()) +
                "; install the bundle that provides it, or replace the setter by a property");
        }
        try
        {
            setter.invoke(bean, found);
        }
        catch (final InvocationTargetException e)
        {
            throw new IllegalStateException(
                "the setter failed, method=" + setter.getName() + " reason=" + e.getCause(), e.getCause());
        }
        catch (final IllegalAccessException e)
        {
            throw new IllegalStateException(
                "the setter is not accessible, method=" + setter.getName() + "; make its class public", e);
        }
    }
}
