package dev.millrace.cql.planner;

import dev.millrace.cql.plan.Expression;
import java.util.Set;

/**
 * The distribution of a node's rows to the engines of a flow.
 *
 * @param everywhere whether every engine has all rows
 * @param merged     whether no engine has the rows: they are computed from the output of all engines
 * @param values     otherwise, values over the node's columns that equal the partition value of the row; empty if the
 *     columns do not determine it
 */
record Placement(boolean everywhere, boolean merged, Set<Expression> values)
{
    static final Placement EVERYWHERE = new Placement(true, false, Set.of());
    static final Placement MERGED = new Placement(false, true, Set.of());

    /** Copies the set. */
    Placement
    {
        values = Set.copyOf(values);
    }

    static Placement by(final Set<Expression> values)
    {
        return new Placement(false, false, values);
    }

    /** Whether rows with equal values in some columns are on the same engine. */
    boolean keepsTogether(final java.util.Collection<Integer> columns)
    {
        return everywhere || values.stream().anyMatch(value -> Substitution.isOver(value, columns::contains));
    }
}
