package dev.millrace.adapter.jdbc;

import dev.millrace.api.stage.AdapterFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Offers the adapter factory of this bundle to the platform. */
public final class Activator implements BundleActivator
{
    /** The provider that assembly files name. */
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
        // The framework takes back the service; adapters end with their applications.
    }
}
