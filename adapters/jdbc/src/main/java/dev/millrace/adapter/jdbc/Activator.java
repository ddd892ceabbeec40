package dev.millrace.adapter.jdbc;

import dev.millrace.api.stage.AdapterFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the adapter factory of this bundle as a service. */
public final class Activator implements BundleActivator
{
    /** The provider name in assembly files. */
    static final String PROVIDER = "jdbc";

    @Override
    public void start(final BundleContext context)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(AdapterFactory.PROVIDER_PROPERTY, PROVIDER);
        context.registerService(AdapterFactory.class, new JdbcAdapterFactory(new ServiceDataSources(context)),
            properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The framework unregisters the service; adapters end with their applications.
    }
}
