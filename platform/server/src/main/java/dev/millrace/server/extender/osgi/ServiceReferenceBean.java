package dev.millrace.server.extender.osgi;

import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.util.ClassUtils;

/**
 * The bean definition behind {@code osgi:reference}, {@code osgi:list} and {@code osgi:set}. As a factory bean it
 * returns the service itself, and the context neither initializes nor destroys an object that it does not own.
 */
public final class ServiceReferenceBean implements FactoryBean<Object>, BeanClassLoaderAware
{
    private final ServiceDependency dependency;

    private ClassLoader classLoader;

    /**
     * Called by Spring.
     *
     * @param dependency a {@code ServiceDependency}
     */
    public ServiceReferenceBean(final Object dependency)
    {
        this.dependency = (ServiceDependency)dependency;
    }

    @Override
    public void setBeanClassLoader(final ClassLoader loader)
    {
        classLoader = loader;
    }

    @Override
    public Object getObject()
    {
        return switch (dependency.settings().kind())
        {
            case REFERENCE -> dependency.single();
            case LIST -> dependency.view().list();
            case SET -> dependency.view().set();
        };
    }

    @Override
    public Class<?> getObjectType()
    {
        return switch (dependency.settings().kind())
        {
            case REFERENCE -> ClassUtils.resolveClassName(dependency.settings().interfaces().get(0), classLoader);
            case LIST -> List.class;
            case SET -> Set.class;
        };
    }
}
