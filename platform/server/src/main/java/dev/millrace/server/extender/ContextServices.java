package dev.millrace.server.extender;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.support.GenericApplicationContext;

/** The services one context asks for, filled while its files are read. For the application's thread. */
final class ContextServices
{
    private static final String BEAN_NAME = ContextServices.class.getName();

    private final List<ServiceDependency> dependencies = new ArrayList<>();

    /** Puts a new one into a context that will be read. */
    static ContextServices install(final GenericApplicationContext context)
    {
        final ContextServices services = new ContextServices();
        context.getBeanFactory().registerSingleton(BEAN_NAME, services);
        return services;
    }

    /** The one of the context that is being read. */
    static ContextServices of(final BeanDefinitionRegistry registry)
    {
        final ConfigurableListableBeanFactory factory = registry instanceof final GenericApplicationContext context
            ? context.getBeanFactory() : (ConfigurableListableBeanFactory)registry;
        return (ContextServices)factory.getSingleton(BEAN_NAME);
    }

    List<ServiceDependency> dependencies()
    {
        return dependencies;
    }
}
