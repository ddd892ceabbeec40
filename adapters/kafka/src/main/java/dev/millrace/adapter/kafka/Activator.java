package dev.millrace.adapter.kafka;

import dev.millrace.adapter.kafka.inbound.KafkaSource;
import dev.millrace.adapter.kafka.outbound.KafkaSink;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.AdapterFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** Registers the adapter factories of this bundle as services. */
public final class Activator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        final NamedSecrets secrets = name -> secret(context, name);
        register(context, "kafka-inbound", () -> new KafkaSource(secrets));
        register(context, "kafka-outbound", () -> new KafkaSink(secrets));
    }

    private static void register(final BundleContext context, final String provider, final AdapterFactory factory)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(AdapterFactory.PROVIDER_PROPERTY, provider);
        context.registerService(AdapterFactory.class, factory, properties);
    }

    /** Looks up the service on each call, because the server starts after this bundle. */
    private static String secret(final BundleContext context, final String name)
    {
        final ServiceReference<NamedSecrets> reference = context.getServiceReference(NamedSecrets.class);
        final NamedSecrets secrets = reference == null ? null : context.getService(reference);
        if (secrets == null)
        {
            return null;
        }
        try
        {
            return secrets.secret(name);
        }
        finally
        {
            context.ungetService(reference);
        }
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The framework unregisters the services; adapters end with their applications.
    }
}
