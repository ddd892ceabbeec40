package dev.millrace.api.cartridge;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The links of a fixed set of cartridges. Thread-safe. */
final class KnownCartridges implements CartridgeLinks
{
    private final Map<String, Cartridge> cartridges = new LinkedHashMap<>();
    private final Map<String, CartridgeLink> links = new ConcurrentHashMap<>();

    KnownCartridges(final List<Cartridge> all)
    {
        for (final Cartridge cartridge : all)
        {
            cartridges.putIfAbsent(cartridge.name().toLowerCase(Locale.ROOT), cartridge);
        }
        for (final Cartridge cartridge : all)
        {
            cartridge.aliases().forEach(alias -> cartridges.putIfAbsent(alias.toLowerCase(Locale.ROOT), cartridge));
        }
    }

    @Override
    public CartridgeLink find(final String name)
    {
        final Cartridge cartridge = cartridges.get(name.toLowerCase(Locale.ROOT));
        return cartridge == null ? null : links.computeIfAbsent(cartridge.name().toLowerCase(Locale.ROOT),
            key -> CartridgeLink.of(cartridge.name(), cartridge, Map.of()));
    }

    @Override
    public Class<?> type(final String name)
    {
        for (final Cartridge cartridge : cartridges.values())
        {
            final Class<?> found = cartridge.types().get(name);
            if (found != null)
            {
                return found;
            }
        }
        return null;
    }

    @Override
    public Collection<String> names()
    {
        return cartridges.values().stream().map(Cartridge::name).distinct().toList();
    }
}
