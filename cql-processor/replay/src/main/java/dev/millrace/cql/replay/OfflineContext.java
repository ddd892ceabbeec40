package dev.millrace.cql.replay;

import java.util.Properties;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.PropertiesPropertySource;

/** A context that creates only the beans that are asked for, and notifies no bean. */
final class OfflineContext extends GenericApplicationContext
{
    /**
     * @param name       name of the application
     * @param properties values of placeholders; system properties have priority
     */
    OfflineContext(final String name, final ClassLoader classes, final Properties properties)
    {
        setId(name);
        setDisplayName(name);
        setClassLoader(classes);
        getEnvironment().getPropertySources().addLast(new PropertiesPropertySource(name + ".properties", properties));
    }

    @Override
    protected void registerListeners()
    {
        // Listeners are beans of the application.
    }

    @Override
    protected void finishBeanFactoryInitialization(final ConfigurableListableBeanFactory beans)
    {
        // Functions and windows are created when the definition of the processor asks for them.
    }

    @Override
    protected void finishRefresh()
    {
        // Nothing starts.
    }
}
