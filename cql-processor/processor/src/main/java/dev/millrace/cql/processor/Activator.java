package dev.millrace.cql.processor;

import dev.millrace.network.spi.ProcessorProvider;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the provider as a service and warms the planner up in the background. */
public final class Activator implements BundleActivator
{
    private static final Logger LOG = LoggerFactory.getLogger(Activator.class);

    private Thread warmUp;

    @Override
    public void start(final BundleContext context)
    {
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(ProcessorProvider.PROVIDER_PROPERTY, CqlProcessorProvider.TYPE);
        context.registerService(ProcessorProvider.class, new CqlProcessorProvider(), properties);
        warmUp = new Thread(Activator::warmUp, "millrace-cql-warm-up");
        warmUp.setDaemon(true);
        warmUp.start();
    }

    /** The framework takes the service back; the warm-up is waited for, since its classes go with the bundle. */
    @Override
    public void stop(final BundleContext context) throws InterruptedException
    {
        warmUp.join(WARM_UP_END_MS);
    }

    private static final long WARM_UP_END_MS = 5_000;

    // A warm-up that fails must never take the server down with it, so everything is caught and told.
    private static void warmUp()
    {
        final long startNs = System.nanoTime();
        try
        {
            WarmUp.run();
            LOG.debug("CQL planner and compiler are warm, ms={}", (System.nanoTime() - startNs) / 1_000_000);
        }
        catch (final Exception | LinkageError failure)
        {
            LOG.warn("CQL warm-up failed; the first deployment will take longer or report the cause", failure);
        }
    }
}
