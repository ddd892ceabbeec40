package dev.millrace.api.cartridge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;

/** The links and the types of cartridges that the rules of an application can use. Thread-safe. */
public interface CartridgeLinks
{
    /** No links. */
    CartridgeLinks NONE = new KnownCartridges(List.of());

    /**
     * Finds a link.
     *
     * @param name name after {@code @}, case is not significant
     * @return the link, or {@code null} if there is none
     */
    CartridgeLink find(String name);

    /**
     * Finds a class that a cartridge adds.
     *
     * @param name qualified name in rules
     * @return public class, or {@code null} if no cartridge has it
     */
    Class<?> type(String name);

    /**
     * Returns the names that {@link #find(String)} can find, for messages.
     *
     * @return names in order, may be empty
     */
    Collection<String> names();

    /**
     * Returns the links of cartridges.
     *
     * @param cartridges cartridges; of several with the same name the first applies
     */
    static CartridgeLinks of(final Iterable<? extends Cartridge> cartridges)
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
    static CartridgeLinks installed(final ClassLoader loader)
    {
        return of(ServiceLoader.load(Cartridge.class, loader));
    }

    /**
     * Returns these links and those of the contexts of an application, which take precedence.
     *
     * @param contexts links that the application declares
     */
    default CartridgeLinks with(final List<CartridgeLink> contexts)
    {
        return contexts.isEmpty() ? this : new DeclaredLinks(contexts, this);
    }
}
