package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import java.util.Set;

/**
 * The distribution of a node's rows to the engines of a flow.
 *
 * @param everywhere whether every engine has all rows
 * @param merged     whether no engine has the rows: they are computed from the output of all engines
 * @param values     otherwise, values over the node's columns that equal the partition value of the row; empty if the
 *     columns do not determine it
 */
public record Distribution(boolean everywhere, boolean merged, Set<Expression> values)
{
    static final Distribution EVERYWHERE = new Distribution(true, false, Set.of());
    static final Distribution MERGED = new Distribution(false, true, Set.of());

    /** Copies the set. */
    public Distribution
    {
        values = Set.copyOf(values);
    }

    static Distribution by(final Set<Expression> values)
    {
        return new Distribution(false, false, values);
    }

    /** Whether rows with equal values in some columns are on the same engine. */
    public boolean keepsTogether(final java.util.Collection<Integer> columns)
    {
        return everywhere || values.stream().anyMatch(value -> ExpressionSubstitution.isOver(value, columns::contains));
    }
}
