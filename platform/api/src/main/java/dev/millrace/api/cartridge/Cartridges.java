package dev.millrace.api.cartridge;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Creates the links of cartridges. Stateless. */
public final class Cartridges
{
    private Cartridges()
    {
    }

    /**
     * Returns the links of cartridges.
     *
     * @param cartridges cartridges; of several with the same name the first applies
     */
    public static CartridgeLinks of(final Iterable<? extends Cartridge> cartridges)
    {
        final List<Cartridge> all = new ArrayList<>();
        cartridges.forEach(all::add);
        return new KnownCartridges(all);
    }

    /**
     * Returns the links of the cartridges that a class loader finds with {@link ServiceLoader}.
     *
     * @param loader class loader with the jars of the cartridges
     */
    public static CartridgeLinks installed(final ClassLoader loader)
    {
        return of(ServiceLoader.load(Cartridge.class, loader));
    }

    /**
     * Returns the links of the contexts of an application, and others that they hide.
     *
     * @param contexts links that the application declares
     * @param others   links that need no declaration
     */
    public static CartridgeLinks with(final List<CartridgeLink> contexts, final CartridgeLinks others)
    {
        return contexts.isEmpty() ? others : new DeclaredLinks(contexts, others);
    }
}
