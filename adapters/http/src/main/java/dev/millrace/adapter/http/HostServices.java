package dev.millrace.adapter.http;

import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.ChannelServers;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.EventServers;
import dev.millrace.api.secret.NamedSecrets;
import java.util.List;
import java.util.function.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** The servers and secrets that the server has read from {@code config.xml}. Thread-safe. */
final class HostServices implements EventServers, ChannelServers, NamedSecrets
{
    private final BundleContext context;

    HostServices(final BundleContext context)
    {
        this.context = context;
    }

    @Override
    public List<EventServer> servers()
    {
        return call(EventServers.class, EventServers::servers, List.of());
    }

    @Override
    public List<ChannelServer> channelServers()
    {
        return call(ChannelServers.class, ChannelServers::channelServers, List.of());
    }

    @Override
    public String secret(final String name)
    {
        return call(NamedSecrets.class, secrets -> secrets.secret(name), null);
    }

    /** Looks up a service on each call, because the server may start after this bundle. */
    private <S, R> R call(final Class<S> type, final Function<S, R> function, final R otherwise)
    {
        final ServiceReference<S> reference = context.getServiceReference(type);
        if (reference == null)
        {
            return otherwise;
        }
        final S service = context.getService(reference);
        try
        {
            return service == null ? otherwise : function.apply(service);
        }
        finally
        {
            context.ungetService(reference);
        }
    }
}
