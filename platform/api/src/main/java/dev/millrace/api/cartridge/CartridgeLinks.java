package dev.millrace.api.cartridge;

import java.util.Collection;
import java.util.List;

/** The links and the types of cartridges that the rules of an application can use. Thread-safe. */
public interface CartridgeLinks
{
    /** No links. */
    CartridgeLinks NONE = new CartridgeLinks()
    {
        @Override
        public CartridgeLink find(final String name)
        {
            return null;
        }

        @Override
        public Class<?> type(final String name)
        {
            return null;
        }

        @Override
        public Collection<String> names()
        {
            return List.of();
        }
    };

    /**
     * Finds a link.
     *
     * @param name name after {@code @}, case is not significant
     * @return the link, or {@code null} for an unknown name
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
}
