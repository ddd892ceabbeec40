package dev.millrace.cql.planner;

import dev.millrace.cql.language.types.FunctionLookup;
import java.util.Collection;
import java.util.List;

/** The functions of the language. */
final class BuiltInFunctions implements FunctionLookup
{
    @Override
    public List<Signature> scalars(final String name)
    {
        return List.of();
    }

    @Override
    public List<Signature> aggregates(final String name)
    {
        return List.of();
    }

    @Override
    public Collection<String> names()
    {
        return List.of("count", "sum", "avg", "min", "max");
    }
}
