package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * An order in which the rows of one side of a join without keys can be searched: by a value that conditions of the join
 * compare with values of the other side. If one value is bounded from above and another from below, as in
 * {@code x between begins and ends}, rows are ordered by the first value, and the maximum distance between the two
 * values limits the search. The search may return rows that do not match: all conditions are tested again.
 *
 * <p>Expressions read the columns of the join. Immutable.
 *
 * @param value  value of a row of the side, by which rows are ordered
 * @param second value that is bounded from below if it is a different one, otherwise {@code null}
 * @param low    values of the other side that are lower bounds: the value, or the second value, is not less than any of
 *     them
 * @param high   values of the other side that are upper bounds of the value
 */
public record JoinOrder(Expression value, Expression second, List<Expression> low, List<Expression> high)
{
    /** A comparison of a value of one side with a value of the other: not less, or not greater. */
    private record Bound(Expression own, Expression other, boolean isLow)
    {
    }

    /** Copies the lists. */
    public JoinOrder
    {
        low = List.copyOf(low);
        high = List.copyOf(high);
    }

    /**
     * The order for one side of a join.
     *
     * @param join   any join
     * @param isLeft whether it is the left side
     * @return {@code null} if its rows cannot be found by an order
     */
    public static JoinOrder of(final FlowNode.Join join, final boolean isLeft)
    {
        if (!join.leftKeys().isEmpty() || join.condition() == null || Conditions.canFail(join.condition()))
        {
            return null;
        }
        final List<Bound> bounds = new ArrayList<>();
        Conditions.conjuncts(join.condition()).forEach(each -> bounds(each, join, isLeft, bounds));
        return bounds.isEmpty() ? null : of(bounds);
    }

    /** Prefers a value that is bounded on both sides, then two values with one bound each, then any value. */
    private static JoinOrder of(final List<Bound> bounds)
    {
        final List<Bound> lows = bounds.stream().filter(Bound::isLow).toList();
        final List<Bound> highs = bounds.stream().filter(each -> !each.isLow()).toList();
        for (final Bound each : highs)
        {
            if (lows.stream().anyMatch(low -> low.own().equals(each.own())))
            {
                return of(bounds, each.own(), null);
            }
        }
        for (final Bound each : highs)
        {
            for (final Bound low : lows)
            {
                if (isFloating(low.own()) == isFloating(each.own()))
                {
                    return of(bounds, each.own(), low.own());
                }
            }
        }
        return of(bounds, bounds.get(0).own(), null);
    }

    private static JoinOrder of(final List<Bound> bounds, final Expression value, final Expression second)
    {
        final Expression from = second == null ? value : second;
        return new JoinOrder(value, second,
            bounds.stream().filter(each -> each.isLow() && each.own().equals(from)).map(Bound::other).toList(),
            bounds.stream().filter(each -> !each.isLow() && each.own().equals(value)).map(Bound::other).toList());
    }

    private static void bounds(
        final Expression condition, final FlowNode.Join join, final boolean isLeft, final List<Bound> bounds)
    {
        if (!(condition instanceof Expression.Call call) || call.arguments().size() != 2 ||
            !isOrdered(call.arguments().get(0).type()))
        {
            return;
        }
        final int columns = join.left().rows().size();
        final Expression first = call.arguments().get(0);
        final Expression last = call.arguments().get(1);
        final boolean isFirst = isOf(first, columns, isLeft) && isOf(last, columns, !isLeft);
        if (!isFirst && !(isOf(last, columns, isLeft) && isOf(first, columns, !isLeft)))
        {
            return;
        }
        final Expression own = isFirst ? first : last;
        final Expression other = isFirst ? last : first;
        final Operation operation = isFirst ? call.operation() : call.operation().mirrored();
        if (operation == Operation.EQUAL || operation == Operation.GREATER || operation == Operation.GREATER_OR_EQUAL)
        {
            bounds.add(new Bound(own, other, true));
        }
        if (operation == Operation.EQUAL || operation == Operation.LESS || operation == Operation.LESS_OR_EQUAL)
        {
            bounds.add(new Bound(own, other, false));
        }
    }

    private static boolean isOrdered(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, FLOAT, DOUBLE -> true;
            default -> false;
        };
    }

    private static boolean isFloating(final Expression value)
    {
        return value.type() == CqlType.FLOAT || value.type() == CqlType.DOUBLE;
    }

    /** Whether an expression reads columns of one side only. */
    private static boolean isOf(final Expression expression, final int leftColumns, final boolean isLeft)
    {
        final boolean[] read = new boolean[2];
        sides(expression, leftColumns, read);
        return read[isLeft ? 0 : 1] && !read[isLeft ? 1 : 0];
    }

    /** Marks the sides whose columns are read by an expression that cannot fail. */
    private static void sides(final Expression expression, final int leftColumns, final boolean[] read)
    {
        if (expression instanceof Expression.Column column)
        {
            read[column.column() < leftColumns ? 0 : 1] = true;
        }
        else if (expression instanceof Expression.Call call)
        {
            call.arguments().forEach(each -> sides(each, leftColumns, read));
        }
    }
}
