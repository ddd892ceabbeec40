package dev.millrace.api.cartridge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The links of contexts that an application declares, and others that they hide. Immutable. */
final class DeclaredLinks implements CartridgeLinks
{
    private final List<CartridgeLink> declared;
    private final CartridgeLinks others;

    DeclaredLinks(final List<CartridgeLink> declared, final CartridgeLinks others)
    {
        this.declared = List.copyOf(declared);
        this.others = others;
    }

    @Override
    public CartridgeLink find(final String name)
    {
        return declared.stream().filter(link -> link.name().equalsIgnoreCase(name)).findFirst()
            .orElseGet(() -> others.find(name));
    }

    @Override
    public Class<?> type(final String name)
    {
        return others.type(name);
    }

    @Override
    public Collection<String> names()
    {
        final List<String> names = new ArrayList<>(declared.stream().map(CartridgeLink::name).toList());
        names.addAll(others.names());
        return names;
    }
}
