package dev.millrace.samples.cartridge;

import dev.millrace.api.cartridge.Cartridge;
import dev.millrace.api.cartridge.CartridgeFunction;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cartridge: rules call its functions by the link {@code card}. Immutable. */
public final class CardCartridge implements Cartridge
{
    private static final String VISIBLE = "visible-digits";

    @Override
    public String name()
    {
        return "card";
    }

    /** Attributes that a context of an application may have. */
    @Override
    public Set<String> parameters()
    {
        return Set.of(VISIBLE);
    }

    /** The functions of a link; without parameters for the link {@code card}. */
    @Override
    public List<CartridgeFunction> functions(final Map<String, String> parameters)
    {
        return CartridgeFunction.ofObject(new CardFunctions(visible(parameters.getOrDefault(VISIBLE, "4"))));
    }

    private static int visible(final String value)
    {
        if (!value.matches("[0-9]{1,2}"))
        {
            throw new IllegalArgumentException(VISIBLE + '=' + value + " is not a number from 0 to 99");
        }
        return Integer.parseInt(value);
    }
}
