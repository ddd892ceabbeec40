package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.CqlType;
import java.util.List;

/**
 * Columns of a node's rows.
 *
 * @param names names, for messages and outputs
 * @param types one type per column
 */
public record RowType(List<String> names, List<CqlType> types)
{
    /** Copies the lists. */
    public RowType
    {
        names = List.copyOf(names);
        types = List.copyOf(types);
        if (names.size() != types.size())
        {
            throw new IllegalArgumentException("names and types differ in number, names=" + names + " types=" + types);
        }
    }

    /** Number of columns. */
    public int size()
    {
        return types.size();
    }

    /** The columns of both, in order. */
    public RowType with(final RowType right)
    {
        final List<String> allNames = new java.util.ArrayList<>(names);
        allNames.addAll(right.names);
        final List<CqlType> allTypes = new java.util.ArrayList<>(types);
        allTypes.addAll(right.types);
        return new RowType(allNames, allTypes);
    }
}
