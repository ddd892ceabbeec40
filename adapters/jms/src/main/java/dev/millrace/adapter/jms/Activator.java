package dev.millrace.adapter.jms;

import dev.millrace.adapter.jms.connect.ProviderClasses;
import dev.millrace.adapter.jms.inbound.JmsSource;
import dev.millrace.adapter.jms.outbound.JmsSink;
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
        final ProviderClasses classes = new BundleClasses(context);
        final NamedSecrets secrets = name -> secret(context, name);
        register(context, "jms-inbound", () -> new JmsSource(secrets, classes));
        register(context, "jms-outbound", () -> new JmsSink(secrets, classes));
    }

    /** Looks up the service on each call, because the server may start after this bundle. */
    private static String secret(final BundleContext context, final String name)
    {
        final ServiceReference<NamedSecrets> reference = context.getServiceReference(NamedSecrets.class);
        if (reference == null)
        {
            return null;
        }
        final NamedSecrets secrets = context.getService(reference);
        try
        {
            return secrets == null ? null : secrets.secret(name);
        }
        finally
        {
            context.ungetService(reference);
        }
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
        // The framework unregisters the services; adapters end with their applications.
    }
}
