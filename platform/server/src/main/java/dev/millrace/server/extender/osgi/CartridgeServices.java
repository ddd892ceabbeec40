package dev.millrace.server.extender.osgi;

import dev.millrace.api.cartridge.Cartridge;
import dev.millrace.api.cartridge.CartridgeLink;
import dev.millrace.api.cartridge.CartridgeLinks;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * The cartridges that bundles register as services, as links of one application. Thread-safe.
 *
 * <p>A link that rules use is looked up by the name of its cartridge, so that the application depends on the service
 * and a bundle that is still starting is awaited.
 */
public final class CartridgeServices implements CartridgeLinks
{
    private final BundleContext context;
    private final Function<String, Cartridge> captured;
    private final Map<String, CartridgeLink> links = new ConcurrentHashMap<>();

    /**
     * @param context  of the server's bundle
     * @param captured finds and holds a cartridge by the name of a link; returns {@code null} for unknown names
     */
    public CartridgeServices(final BundleContext context, final Function<String, Cartridge> captured)
    {
        this.context = context;
        this.captured = captured;
    }

    @Override
    public CartridgeLink find(final String name)
    {
        final Cartridge cartridge = captured.apply(name);
        return cartridge == null ? null : links.compute(cartridge.name(), (own, known) ->
            known != null && known.cartridge() == cartridge ? known : CartridgeLink.of(own, cartridge, Map.of()));
    }

    @Override
    public Class<?> type(final String name)
    {
        for (final Cartridge each : registered())
        {
            if (each.types().containsKey(name))
            {
                final Cartridge held = captured.apply(each.name());
                return held == null ? null : held.types().get(name);
            }
        }
        return null;
    }

    @Override
    public Collection<String> names()
    {
        return registered().stream().map(Cartridge::name).distinct().sorted().toList();
    }

    private List<Cartridge> registered()
    {
        try
        {
            final Collection<ServiceReference<Cartridge>> references =
                context.getServiceReferences(Cartridge.class, null);
            final List<Cartridge> all =
                references.stream().map(context::getService).filter(Objects::nonNull).toList();
            references.forEach(context::ungetService);
            return all;
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException("internal error: a missing filter was rejected", e);
        }
    }
}
