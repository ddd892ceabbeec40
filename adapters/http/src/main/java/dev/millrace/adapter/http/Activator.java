package dev.millrace.adapter.http;

import dev.millrace.adapter.http.inbound.RestSource;
import dev.millrace.adapter.http.outbound.RestSink;
import dev.millrace.adapter.http.pubsub.ChannelServerPool;
import dev.millrace.adapter.http.pubsub.ChannelSink;
import dev.millrace.adapter.http.pubsub.ChannelSource;
import dev.millrace.adapter.http.server.ServerLimits;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.process.FileHandles;
import dev.millrace.api.stage.AdapterFactory;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the adapter factories of this bundle as services. */
public final class Activator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        final HostServices host = new HostServices(context);
        final ServerPool servers = new ServerPool(ServerLimits.standard(FileHandles.OF_PROCESS.limit()));
        register(context, "rest-inbound", () -> new RestSource(host, host, servers));
        register(context, "rest-outbound", () -> new RestSink(host));
        final ChannelServerPool channels = new ChannelServerPool(host, host, host, servers);
        register(context, "httppub", () -> new ChannelSink(host, channels));
        register(context, "httpsub", () -> new ChannelSource(host, channels));
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
        // The framework unregisters the services; servers close with the last stage that uses them.
    }
}
