package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition that no row satisfies after some instant, such as {@code B.element_time - prev(B.element_time) < 100}:
 * the time of the current row minus a time of the match.
 *
 * @param from   the time of the match that it counts from; {@code null} for the time of the last row
 * @param spanNs how long after it the condition can no longer hold
 */
public record TimeBound(PatternExpression.Navigation from, long spanNs)
{
    /**
     * The bounds that a condition sets.
     *
     * @param condition  normalized by {@link Conjuncts#ofRow}, {@code null} for none
     * @param timeColumn column with the time of rows, -1 without
     * @return all of them; each alone ends the condition
     */
    static List<TimeBound> of(final Expression condition, final int timeColumn)
    {
        final List<TimeBound> bounds = new ArrayList<>();
        if (timeColumn >= 0)
        {
            Conditions.conjuncts(condition).forEach(each -> add(each, timeColumn, bounds));
        }
        return bounds;
    }

    /** The column with the time of rows, -1 without. */
    static int timeColumn(final FlowNode input)
    {
        final boolean hasTime = input instanceof FlowNode.Timed ||
            input instanceof FlowNode.Source source && source.elementTime();
        return hasTime ? input.rows().size() - 1 : -1;
    }

    private static void add(final Expression condition, final int timeColumn, final List<TimeBound> bounds)
    {
        if (!(condition instanceof Expression.Call call))
        {
            return;
        }
        final boolean isInclusive = call.operation() == Operation.LESS_OR_EQUAL ||
            call.operation() == Operation.GREATER_OR_EQUAL;
        final TimeBound bound = switch (call.operation())
        {
            case LESS, LESS_OR_EQUAL -> bound(call.arguments().get(0), call.arguments().get(1), timeColumn);
            case GREATER, GREATER_OR_EQUAL -> bound(call.arguments().get(1), call.arguments().get(0), timeColumn);
            default -> null;
        };
        if (bound != null && bound.spanNs < Long.MAX_VALUE)
        {
            bounds.add(new TimeBound(bound.from, Math.max(0, bound.spanNs + (isInclusive ? 1 : 0))));
        }
    }

    /** The bound of {@code less < more}. */
    private static TimeBound bound(final Expression less, final Expression more, final int timeColumn)
    {
        final Long span = constant(more);
        if (span != null && isCall(less, Operation.SUBTRACT) && isRow(part(less, 0), timeColumn))
        {
            return from(part(less, 1), span, timeColumn);
        }
        if (isRow(less, timeColumn) && isCall(more, Operation.ADD))
        {
            return constant(part(more, 1)) != null ? from(part(more, 0), constant(part(more, 1)), timeColumn) :
                constant(part(more, 0)) != null ? from(part(more, 1), constant(part(more, 0)), timeColumn) : null;
        }
        return isCall(less, Operation.SUBTRACT) && isRow(part(less, 0), timeColumn) &&
            constant(part(less, 1)) != null ? from(more, constant(part(less, 1)), timeColumn) : null;
    }

    private static boolean isCall(final Expression expression, final Operation operation)
    {
        return expression instanceof Expression.Call call && call.operation() == operation &&
            call.arguments().size() == 2;
    }

    private static Expression part(final Expression call, final int index)
    {
        return ((Expression.Call)call).arguments().get(index);
    }

    /** An integer, limited so that a sum with a time cannot overflow. */
    private static Long constant(final Expression expression)
    {
        return expression instanceof Expression.Literal literal && (literal.type() == CqlType.BIGINT ||
            literal.type() == CqlType.INT) && literal.value() instanceof Number number ? number.longValue() : null;
    }

    private static boolean isRow(final Expression expression, final int timeColumn)
    {
        return isTime(expression, timeColumn) &&
            ((PatternExpression.Navigation)expression).variables() == Conjuncts.ROW &&
            ((PatternExpression.Navigation)expression).back() == 0;
    }

    private static boolean isTime(final Expression expression, final int timeColumn)
    {
        return expression instanceof PatternExpression.Navigation leaf && leaf.column() == timeColumn &&
            leaf.maxAgeMs() < 0;
    }

    private static TimeBound from(final Expression time, final long spanNs, final int timeColumn)
    {
        if (!isTime(time, timeColumn))
        {
            return null;
        }
        final PatternExpression.Navigation leaf = (PatternExpression.Navigation)time;
        if (leaf.variables() == Conjuncts.ROW)
        {
            return leaf.back() == 1 ? new TimeBound(null, spanNs) : null;
        }
        // A reference that counts the current row may refer to that row.
        final boolean isFirst = leaf.end() == End.FIRST && leaf.offset() == 0;
        final boolean isLast = leaf.end() == End.LAST && leaf.offset() == 0;
        return leaf.back() == 0 && (isFirst || isLast) ? new TimeBound(leaf, spanNs) : null;
    }
}
