package dev.millrace.cartridge.jdbc;

import dev.millrace.api.cartridge.CartridgeFunction;
import dev.millrace.api.cartridge.StatementCartridge;
import dev.millrace.api.cartridge.StatementContext;
import dev.millrace.api.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The cartridge {@code jdbc}. Its own link has no functions: those of a context are statements. Immutable. */
public final class JdbcCartridge implements StatementCartridge
{
    /** Creates the cartridge; {@link java.util.ServiceLoader} calls this. */
    public JdbcCartridge()
    {
        // No state.
    }

    @Override
    public String name()
    {
        return "jdbc";
    }

    @Override
    public Collection<String> aliases()
    {
        return List.of("com.oracle.cep.cartridge.jdbc");
    }

    @Override
    public List<CartridgeFunction> functions(final Map<String, String> parameters)
    {
        return List.of();
    }

    @Override
    public List<CartridgeFunction> functions(final StatementContext context)
    {
        return context.functions().stream().map(definition ->
            new JdbcFunction(context.name(), context.dataSource(), definition, Clock.SYSTEM).function()).toList();
    }
}
