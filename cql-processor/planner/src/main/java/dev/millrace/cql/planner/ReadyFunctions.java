package dev.millrace.cql.planner;

import dev.millrace.cql.language.functions.FunctionCatalog;
import dev.millrace.cql.language.types.FunctionLookup;
import dev.millrace.cql.plan.FunctionRef;
import java.util.Collection;
import java.util.List;

/**
 * The functions of the catalogue that can be run: those on XML and the aggregates beyond count, sum, avg, min and max
 * are described, but have no code yet, so statements that call them are refused.
 */
final class ReadyFunctions implements FunctionLookup
{
    private static final String XML = ".Xml";
    private static final List<String> ENGINE_AGGREGATES = List.of("avg", "count", "max", "min", "sum");

    private final FunctionCatalog catalog;

    ReadyFunctions(final FunctionCatalog catalog)
    {
        this.catalog = catalog;
    }

    @Override
    public List<Signature> scalars(final String name)
    {
        return catalog.scalars(name).stream().filter(signature ->
            !(signature.target() instanceof FunctionRef target) || !target.className().endsWith(XML)).toList();
    }

    @Override
    public List<Signature> aggregates(final String name)
    {
        return List.of();
    }

    @Override
    public Collection<String> names()
    {
        return catalog.names().stream().filter(
            name -> ENGINE_AGGREGATES.contains(name) || !scalars(name).isEmpty()).toList();
    }
}
