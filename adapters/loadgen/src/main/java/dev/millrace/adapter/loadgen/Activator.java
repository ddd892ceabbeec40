package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.generator.GeneratorAdapter;
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
    /** Provider names of the TCP source in assembly files. */
    static final String[] PROVIDERS = {"csvgen", "loadgen", "socket"};

    @Override
    public void start(final BundleContext context)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(AdapterFactory.PROVIDER_PROPERTY, PROVIDERS.clone());
        context.registerService(AdapterFactory.class, new LoadgenAdapterFactory(name -> secret(context, name)),
            properties);
        final Dictionary<String, Object> ofGenerator = new Hashtable<>();
        ofGenerator.put(AdapterFactory.PROVIDER_PROPERTY, "generator");
        final AdapterFactory generators = GeneratorAdapter::new;
        context.registerService(AdapterFactory.class, generators, ofGenerator);
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
        // The framework unregisters the services; adapters end with their applications.
    }
}
