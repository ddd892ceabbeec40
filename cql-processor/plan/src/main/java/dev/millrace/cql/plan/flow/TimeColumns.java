package dev.millrace.cql.plan.flow;

import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import java.util.stream.IntStream;

/**
 * Columns that contain the time at which a row enters. Derived from the plan only, so not every such column is found.
 * Stateless, thread-safe.
 */
public final class TimeColumns
{
    private TimeColumns()
    {
    }

    /**
     * The column that contains the time at which each row of a node enters.
     *
     * @param node a stream or a relation
     * @return column of its rows; -1 if none is known
     */
    public static int of(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            return source.relation() ? -1 : source.timeColumn();
        }
        if (node instanceof FlowNode.Window window)
        {
            final boolean isAtOnce = window.window() instanceof WindowSpec.Now ||
                window.window() instanceof WindowSpec.Unbounded ||
                window.window() instanceof WindowSpec.Range range && range.slideNs() <= 1;
            return isAtOnce ? of(window.input()) : -1;
        }
        if (!(node instanceof FlowNode.Calc calc))
        {
            return -1;
        }
        final int column = of(calc.input());
        return column < 0 || calc.fields() == null ? column : IntStream.range(0, calc.fields().size())
            .filter(i -> isColumn(calc.fields().get(i).expression(), column)).findFirst().orElse(-1);
    }

    /**
     * Whether a row of one side of a join matches no row that enters on the other side later: the condition requires
     * that the time of the first row is not less.
     *
     * @param join   of two relations
     * @param isLeft whether the row is on the left side
     * @return false also if this is not known
     */
    public static boolean matchesOnlyEarlier(final FlowNode.Join join, final boolean isLeft)
    {
        final int left = of(join.left());
        final int right = of(join.right());
        if (left < 0 || right < 0 || Conditions.canFail(join.condition()))
        {
            return false;
        }
        final int other = join.left().rows().size() + right;
        return Conditions.conjuncts(join.condition()).stream().anyMatch(each ->
            isLeft ? isNoLess(each, left, other) : isNoLess(each, other, left));
    }

    private static boolean isNoLess(final Expression condition, final int column, final int than)
    {
        if (!(condition instanceof Expression.Call call) || call.arguments().size() != 2)
        {
            return false;
        }
        return switch (call.operation())
        {
            case GREATER, GREATER_OR_EQUAL -> areColumns(call, column, than);
            case LESS, LESS_OR_EQUAL -> areColumns(call, than, column);
            case EQUAL -> areColumns(call, column, than) || areColumns(call, than, column);
            default -> false;
        };
    }

    private static boolean areColumns(final Expression.Call call, final int first, final int second)
    {
        return isColumn(call.arguments().get(0), first) && isColumn(call.arguments().get(1), second);
    }

    private static boolean isColumn(final Expression expression, final int column)
    {
        return expression instanceof Expression.Column of && of.column() == column;
    }
}
