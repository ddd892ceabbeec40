package dev.millrace.cql.planner;

import dev.millrace.cql.plan.Expression;
import java.util.Set;

/**
 * Which engine of a flow has which rows of a node.
 *
 * @param everywhere whether all engines have all of them
 * @param merged     whether no engine has them: they are computed of what all engines say
 * @param values     otherwise: values over the node's columns that equal the partition value of the row; empty when the
 *                   columns do not tell it
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

    /** Whether rows that are equal in some columns are with the same engine. */
    boolean keepsTogether(final java.util.Collection<Integer> columns)
    {
        return everywhere || values.stream().anyMatch(value -> Substitution.isOver(value, columns::contains));
    }
}
