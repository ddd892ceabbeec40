package dev.millrace.cql.processor;

import dev.millrace.network.spi.ProcessorProvider;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the provider as a service. Its classes are loaded by the server's warm-up, or by the first deployment. */
public final class Activator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(ProcessorProvider.PROVIDER_PROPERTY, CqlProcessorProvider.TYPE);
        context.registerService(ProcessorProvider.class, new CqlProcessorProvider(), properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The framework takes the service back.
    }
}
