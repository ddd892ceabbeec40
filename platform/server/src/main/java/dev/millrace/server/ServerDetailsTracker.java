package dev.millrace.server;

import dev.millrace.server.spi.ServerDetails;
import java.util.LinkedHashMap;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/** Details of the instance that other bundles provide, looked up at each call. Thread-safe. */
final class ServerDetailsTracker
{
    private final BundleContext context;

    ServerDetailsTracker(final BundleContext context)
    {
        this.context = context;
    }

    Map<String, Object> describe()
    {
        final Map<String, Object> all = new LinkedHashMap<>();
        try
        {
            for (final ServiceReference<ServerDetails> reference :
                context.getServiceReferences(ServerDetails.class, null))
            {
                final ServerDetails details = context.getService(reference);
                if (details != null)
                {
                    all.put(details.name(), details.describe());
                    context.ungetService(reference);
                }
            }
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException("a missing filter was rejected", e);
        }
        return all;
    }
}
