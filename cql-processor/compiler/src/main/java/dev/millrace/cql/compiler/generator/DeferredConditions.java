package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/**
 * Conditions of a fixed pattern that need not be computed for each row: those of the third and later variables. They
 * matter only when a prefix of two or more rows is alive, and can hold only when a necessary condition on known values
 * holds. Few rows meet both criteria, so a jump past these conditions costs less than computing them.
 */
final class DeferredConditions
{
    private static final int FIRST = 2;
    /** Minimum number of comparisons: fewer take less time than a mispredicted jump. */
    private static final int LEAST_COMPARISONS = 4;

    private final Operator.FixedPattern pattern;
    private final ExpressionEmitter kernel;
    private final List<Integer> positions = new ArrayList<>();

    /** Finds these conditions, once those before the third have been written. */
    DeferredConditions(final Operator.FixedPattern pattern, final ExpressionEmitter kernel)
    {
        this.pattern = pattern;
        this.kernel = kernel;
        final Set<Expression> comparisons = new HashSet<>();
        for (int j = FIRST; j < pattern.conditions().size(); j++)
        {
            final Expression condition = pattern.conditions().get(j);
            if (condition != null && !kernel.isKnown(condition) && !PatternHistory.mayFail(condition))
            {
                positions.add(j);
                PlanNode.walk(condition, each -> noteComparison(each, comparisons));
            }
        }
        if (comparisons.size() < LEAST_COMPARISONS)
        {
            positions.clear();
        }
    }

    private void noteComparison(final Expression each, final Set<Expression> comparisons)
    {
        if (each instanceof Expression.Call call && !kernel.isKnown(each))
        {
            switch (call.operation())
            {
                case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> comparisons.add(each);
                default ->
                {
                }
            }
        }
    }

    /** Whether the condition at an index is one of them. */
    boolean has(final int position)
    {
        return positions.contains(position);
    }

    /**
     * Writes the conditions.
     *
     * @param prefix whether the prefix before an index is alive, as a bit mask: code of all of them together
     * @param writer writes the condition of an index, given its code
     */
    void write(final JavaText body, final String prefix, final ObjIntConsumer<String> writer)
    {
        if (positions.isEmpty())
        {
            return;
        }
        final String needed = needed();
        body.open("if (" + prefix + " != 0" + (needed == null ? "" : " & " + needed) + ")");
        kernel.within(() -> positions.forEach(j -> writer.accept(kernel.value(pattern.conditions().get(j)), j)));
        body.close();
    }

    /** The bits of the prefixes that these conditions extend. */
    long prefixes()
    {
        return positions.stream().mapToLong(j -> 1L << (j - 1)).sum();
    }

    /** Code that is true wherever one of the conditions is; {@code null} when no known value implies it. */
    private String needed()
    {
        final Set<String> all = new LinkedHashSet<>();
        for (final int j : positions)
        {
            final String code = needed(pattern.conditions().get(j));
            if (code == null)
            {
                return null;
            }
            all.add(code);
        }
        return all.size() == 1 ? all.iterator().next() : '(' + String.join(" | ", all) + ')';
    }

    private String needed(final Expression expression)
    {
        if (!(expression instanceof Expression.Call call))
        {
            return null;
        }
        final String known = kernel.necessary(expression);
        if (known != null)
        {
            return known;
        }
        return switch (call.operation())
        {
            case AND -> joined(call, " & ", false);
            case OR -> joined(call, " | ", true);
            default -> null;
        };
    }

    private String joined(final Expression.Call call, final String operator, final boolean isEach)
    {
        final Set<String> parts = new LinkedHashSet<>();
        for (final Expression argument : call.arguments())
        {
            final String part = needed(argument);
            if (part != null)
            {
                parts.add(part);
            }
            else if (isEach)
            {
                return null;
            }
        }
        return parts.isEmpty() ? null : parts.size() == 1 ? parts.iterator().next() :
            '(' + String.join(operator, parts) + ')';
    }
}
