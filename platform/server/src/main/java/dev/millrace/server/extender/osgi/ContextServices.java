package dev.millrace.server.extender.osgi;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.support.GenericApplicationContext;

/** The services that one context requires, collected while its files are read. Confined to the application's thread. */
public final class ContextServices
{
    private static final String BEAN_NAME = ContextServices.class.getName();

    private final List<ServiceDependency> dependencies = new ArrayList<>();

    /** Creates an instance for a context that will be read and registers it there. */
    public static ContextServices install(final GenericApplicationContext context)
    {
        final ContextServices services = new ContextServices();
        context.getBeanFactory().registerSingleton(BEAN_NAME, services);
        return services;
    }

    /** Returns the instance of the context that is being read. */
    public static ContextServices of(final BeanDefinitionRegistry registry)
    {
        final ConfigurableListableBeanFactory factory = registry instanceof final GenericApplicationContext context
            ? context.getBeanFactory() : (ConfigurableListableBeanFactory)registry;
        return (ContextServices)factory.getSingleton(BEAN_NAME);
    }

    public List<ServiceDependency> dependencies()
    {
        return dependencies;
    }
}
