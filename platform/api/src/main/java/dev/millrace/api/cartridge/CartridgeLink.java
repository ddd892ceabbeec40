package dev.millrace.api.cartridge;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A name after {@code @} in rules, with its functions: the cartridge's own, or that of a context of an application.
 * Immutable.
 *
 * @param name      as declared
 * @param cartridge source of functions and types
 * @param settings  the other values that the functions depend on; two links with the same cartridge and equal
 *                  settings have equivalent functions
 * @param functions functions of the link
 */
public record CartridgeLink(String name, Cartridge cartridge, Object settings, List<CartridgeFunction> functions)
{
    /** Copies the list. */
    public CartridgeLink
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(cartridge, "cartridge");
        Objects.requireNonNull(settings, "settings");
        functions = List.copyOf(functions);
    }

    /**
     * Returns the link of a cartridge with values for its parameters.
     *
     * @param parameters values by name; empty for the cartridge's own link
     * @throws IllegalArgumentException if the cartridge rejects a value
     */
    public static CartridgeLink of(
        final String name, final Cartridge cartridge, final Map<String, String> parameters)
    {
        return new CartridgeLink(name, cartridge, Map.copyOf(parameters), cartridge.functions(parameters));
    }

    /**
     * Returns the functions with a name.
     *
     * @param function name, case is not significant
     * @return overloads; empty for an unknown name
     */
    public List<CartridgeFunction> overloads(final String function)
    {
        return functions.stream().filter(each -> each.name().equalsIgnoreCase(function)).toList();
    }

    /**
     * Whether calls of another link have the same results.
     *
     * @param other link, may be {@code null}
     */
    public boolean isSame(final CartridgeLink other)
    {
        return other != null && cartridge == other.cartridge && settings.equals(other.settings);
    }
}
