package dev.millrace.cartridge.spatial;

import dev.millrace.api.cartridge.Cartridge;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the cartridge. The framework unregisters it with the bundle. */
public final class Activator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        final SpatialCartridge cartridge = new SpatialCartridge();
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("type", cartridge.linkNames());
        context.registerService(Cartridge.class, cartridge, properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The service ends with the bundle.
    }
}
