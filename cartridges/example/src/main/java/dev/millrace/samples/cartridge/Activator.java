package dev.millrace.samples.cartridge;

import dev.millrace.api.cartridge.Cartridge;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the cartridge in a server; the framework unregisters it with the bundle. */
public final class Activator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put("type", "card");
        context.registerService(Cartridge.class, new CardCartridge(), properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The service ends with the bundle.
    }
}
