package dev.millrace.api.cartridge;

import java.util.List;

/** A cartridge whose contexts have the functions that a configuration file defines by statements of a database. */
public interface StatementCartridge extends Cartridge
{
    /**
     * Returns the functions of a context.
     *
     * @param context as configured
     * @return a function per definition
     * @throws IllegalArgumentException if a definition is invalid; the message names the function
     */
    List<CartridgeFunction> functions(StatementContext context);
}
