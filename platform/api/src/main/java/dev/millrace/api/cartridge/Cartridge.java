package dev.millrace.api.cartridge;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A set of functions and types for rules.
 *
 * <p>Implementations are thread-safe and return equal answers to equal questions.
 */
public interface Cartridge
{
    /**
     * Returns the name of the link that needs no declaration: rules write {@code function@name(...)}.
     *
     * @return letters, digits, dots and underscores; case is not significant
     */
    String name();

    /**
     * Returns further names of the same link.
     *
     * @return names, may be empty
     */
    default Collection<String> aliases()
    {
        return List.of();
    }

    /**
     * Returns the names of the parameters that a context of an application may set.
     *
     * @return names as in assembly files; empty if contexts of this cartridge have no parameters
     */
    default Set<String> parameters()
    {
        return Set.of();
    }

    /**
     * Returns the functions of a link.
     *
     * @param parameters values by name, all of {@link #parameters()}; empty for the link of the cartridge's own name
     * @return functions; several with the same name are overloads
     * @throws IllegalArgumentException if a value is invalid; the message names the parameter and the accepted values
     */
    List<CartridgeFunction> functions(Map<String, String> parameters);

    /**
     * Returns the classes that rules can name in addition to those of the application, to call their constructors and
     * static members.
     *
     * @return public classes by qualified name in rules, which need not be the name of the class
     */
    default Map<String, Class<?>> types()
    {
        return Map.of();
    }
}
