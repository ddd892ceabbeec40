package dev.millrace.assembly.cartridge;

import dev.millrace.api.cartridge.Cartridge;
import dev.millrace.api.cartridge.CartridgeLink;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.cartridge.StatementCartridge;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Creates the links of the contexts of an application. Not thread-safe; used by the deploying thread. */
public final class CartridgeContexts
{
    private final EpnModel model;
    private final CartridgeLinks server;
    private final Function<String, Cartridge> cartridges;
    private final StatementContexts statements;
    private CartridgeLinks all;

    /**
     * @param model      declarations and problems
     * @param server     links that need no declaration
     * @param cartridges finds a cartridge by the name of its link; {@code null} for an unknown name
     * @param statements creates the links of contexts with statements
     */
    public CartridgeContexts(
        final EpnModel model, final CartridgeLinks server, final Function<String, Cartridge> cartridges,
        final StatementContexts statements)
    {
        this.statements = statements;
        this.model = model;
        this.server = server;
        this.cartridges = cartridges;
    }

    /**
     * The links of the contexts and those that need no declaration. Contexts that are invalid are reported once.
     *
     * @param resolver returns the final string of a value, {@code null} after reporting a problem
     */
    public CartridgeLinks links(final Function<Located, String> resolver)
    {
        if (all == null)
        {
            final List<CartridgeLink> declared = new ArrayList<>();
            model.cartridgeContexts().values().forEach(context -> link(context, resolver, declared));
            all = Cartridges.with(declared, server);
        }
        return all;
    }

    private void link(final EpnModel.CartridgeContext context, final Function<Located, String> resolver,
        final List<CartridgeLink> declared)
    {
        final String id = context.id().value();
        final String name = context.cartridge().value();
        final Cartridge cartridge = cartridges.apply(name);
        if (cartridge == null)
        {
            model.problems().add(AssemblyErrorCode.DANGLING_REFERENCE, context.cartridge().position(),
                "the server has no such cartridge, context=" + id + " cartridge=" + name,
                Suggestions.hint(name, "cartridges", server.names()));
            return;
        }
        if (server.names().stream().anyMatch(id::equalsIgnoreCase))
        {
            model.problems().add(AssemblyErrorCode.DUPLICATE, context.id().position(),
                "a cartridge has the name of the context, context=" + id, "give the context another id");
            return;
        }
        if (cartridge instanceof StatementCartridge ofStatements)
        {
            final CartridgeLink link = statements.link(context.id(), ofStatements, resolver);
            if (link != null)
            {
                declared.add(link);
            }
            return;
        }
        final Map<String, String> values = values(context, cartridge, resolver);
        try
        {
            if (values != null)
            {
                declared.add(CartridgeLink.of(id, cartridge, values));
            }
        }
        catch (final IllegalArgumentException refused)
        {
            model.problems().add(AssemblyErrorCode.BAD_VALUE, context.position(),
                "the cartridge refuses a parameter, context=" + id + " cartridge=" + name + " reason=" +
                refused.getMessage(), "correct the value");
        }
    }

    /** The values of all parameters; {@code null} after reporting problems. */
    private Map<String, String> values(final EpnModel.CartridgeContext context, final Cartridge cartridge,
        final Function<Located, String> resolver)
    {
        final Map<String, String> values = new HashMap<>();
        final Set<String> known = new TreeSet<>(cartridge.parameters());
        boolean complete = true;
        for (final Map.Entry<String, Located> parameter : context.parameters().entrySet())
        {
            final String value = resolver.apply(parameter.getValue());
            if (!known.contains(parameter.getKey()))
            {
                model.problems().add(AssemblyErrorCode.UNKNOWN_ATTRIBUTE, parameter.getValue().position(),
                    "the cartridge has no such parameter, context=" + context.id().value() + " cartridge=" +
                    cartridge.name() + " attribute=" + parameter.getKey(),
                    Suggestions.hint(parameter.getKey(), "parameters", known));
                complete = false;
            }
            else if (value == null)
            {
                complete = false;
            }
            else
            {
                values.put(parameter.getKey(), value);
            }
        }
        return complete ? values : null;
    }
}
