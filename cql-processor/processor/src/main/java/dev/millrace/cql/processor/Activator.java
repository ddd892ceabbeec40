package dev.millrace.cql.processor;

import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.janino.ClassCache;
import dev.millrace.cql.processor.classcache.BuildIdentity;
import dev.millrace.cql.processor.classcache.FileClassCache;
import dev.millrace.network.spi.ProcessorProvider;
import java.nio.file.Path;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the provider as a service. The server's warm-up or the first deployment loads its classes. In a domain it
 * caches compiled classes, see {@link dev.millrace.cql.processor.classcache}.
 */
public final class Activator implements BundleActivator
{
    private static final Logger LOG = LoggerFactory.getLogger(Activator.class);
    private static final String DOMAIN = "wlevs.domain.home";
    private static final long STOP_MS = 2_000;

    private FileClassCache classes;

    @Override
    public void start(final BundleContext context)
    {
        final String domain = context.getProperty(DOMAIN);
        if (domain != null)
        {
            classes = new FileClassCache(Path.of(domain, "var", "generated"), BuildIdentity::own,
                FileClassCache.MAX_FILES, Clock.SYSTEM);
        }
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(ProcessorProvider.PROVIDER_PROPERTY, CqlProcessorProvider.TYPE);
        context.registerService(ProcessorProvider.class,
            new CqlProcessorProvider(classes == null ? ClassCache.NONE : classes), properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The framework unregisters the service.
        if (classes != null)
        {
            try
            {
                if (!classes.close(STOP_MS))
                {
                    LOG.info("generated classes are still being written while the bundle stops, limitMs={}; the next " +
                        "start compiles what is missing", STOP_MS);
                }
            }
            catch (final InterruptedException interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
