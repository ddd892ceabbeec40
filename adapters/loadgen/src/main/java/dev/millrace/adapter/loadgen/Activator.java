package dev.millrace.adapter.loadgen;

import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.AdapterFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** Registers the adapter factory of this bundle as a service. */
public final class Activator implements BundleActivator
{
    /** Provider names in assembly files. */
    static final String[] PROVIDERS = {"csvgen", "loadgen"};

    @Override
    public void start(final BundleContext context)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(AdapterFactory.PROVIDER_PROPERTY, PROVIDERS.clone());
        context.registerService(AdapterFactory.class, new LoadgenAdapterFactory(name -> secret(context, name)),
            properties);
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

    @Override
    public void stop(final BundleContext context)
    {
        // The framework unregisters the service; adapters end with their applications.
    }
}
