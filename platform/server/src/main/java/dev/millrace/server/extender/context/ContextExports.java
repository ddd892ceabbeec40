package dev.millrace.server.extender.context;

import dev.millrace.server.extender.osgi.ServiceExport;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.function.BiConsumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.springframework.context.ApplicationContext;

/**
 * The services that a context provides: its exports and, if published, itself. Confined to the application's thread.
 */
public final class ContextExports
{
    /** Service property with the name of a published context, as in Spring DM. */
    static final String CONTEXT_NAME = "org.springframework.context.service.name";

    private final Bundle bundle;

    private final BundleContext bundleContext;

    private final ApplicationContext context;

    private final List<ServiceExport> exports = new ArrayList<>();

    private ServiceRegistration<?> published;

    public ContextExports(final Bundle bundle, final ApplicationContext context)
    {
        this.bundle = bundle;
        this.context = context;
        bundleContext = bundle.getBundleContext();
    }

    /** Registers the exports and, if it is to be published, the context. */
    public void register(final boolean publish)
    {
        for (final ServiceExport export : context.getBeansOfType(ServiceExport.class).values())
        {
            exports.add(export);
            export.register(bundleContext);
        }
        if (publish)
        {
            final Hashtable<String, Object> properties = new Hashtable<>();
            properties.put(CONTEXT_NAME, bundle.getSymbolicName());
            properties.put(Constants.BUNDLE_SYMBOLICNAME, bundle.getSymbolicName());
            properties.put(Constants.BUNDLE_VERSION, bundle.getVersion());
            published = bundleContext.registerService(ApplicationContext.class, context, properties);
        }
    }

    /**
     * Unregisters all services.
     *
     * @param step runs each step by its name, also after one that failed
     */
    public void unregister(final BiConsumer<String, Runnable> step)
    {
        step.accept("unpublish", () ->
        {
            if (published != null)
            {
                published.unregister();
                published = null;
            }
        });
        exports.forEach(export -> step.accept("unregister", export::unregister));
        exports.clear();
    }
}
