package dev.millrace.adapter.jdbc;

import dev.millrace.api.stage.AdapterFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the adapter factories of this bundle as services. */
public final class Activator implements BundleActivator
{
    /** The provider name of the sink in assembly files. */
    static final String SINK = "jdbc";
    /** The provider name of the source in assembly files. */
    static final String SOURCE = "jdbc-inbound";

    @Override
    public void start(final BundleContext context)
    {
        final DataSources dataSources = new ServiceDataSources(context);
        register(context, SINK, new JdbcAdapterFactory(dataSources));
        register(context, SOURCE, () -> new JdbcSource(dataSources));
    }

    private static void register(final BundleContext context, final String provider, final AdapterFactory factory)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(AdapterFactory.PROVIDER_PROPERTY, provider);
        context.registerService(AdapterFactory.class, factory, properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The framework unregisters the service; adapters end with their applications.
    }
}
