package dev.millrace.adapter.jms;

import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.adapter.jms.connect.ProviderClasses;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the classes of providers in any bundle that contains them, as the drivers of data sources. Thread-safe. */
final class BundleClasses implements ProviderClasses
{
    private static final Logger LOG = LoggerFactory.getLogger(BundleClasses.class);

    private final BundleContext context;

    BundleClasses(final BundleContext context)
    {
        this.context = context;
    }

    @Override
    public Class<?> find(final String name)
    {
        final String file = name.replace('.', '/') + ".class";
        for (final Bundle bundle : context.getBundles())
        {
            final boolean isFragment = bundle.getHeaders("").get(Constants.FRAGMENT_HOST) != null;
            if (!isFragment && bundle.getState() != Bundle.UNINSTALLED && bundle.getResource(file) != null)
            {
                try
                {
                    return bundle.loadClass(name);
                }
                catch (final ClassNotFoundException | LinkageError unusable)
                {
                    // Requested again at each attempt to connect.
                    LOG.warn(JmsErrorCode.UNUSABLE.message("a bundle contains the class of the provider but cannot " +
                        "load it, bundle=" + bundle.getSymbolicName() + " class=" + name + " reason=" + unusable,
                        "install the libraries that it needs; it must import jakarta.jms"));
                }
            }
        }
        return null;
    }
}
