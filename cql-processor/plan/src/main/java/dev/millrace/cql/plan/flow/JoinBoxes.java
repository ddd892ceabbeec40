package dev.millrace.cql.plan.flow;

import dev.millrace.api.cartridge.PairBoxes;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.util.List;

/**
 * Rectangles by which the rows of one side of a join without keys can be searched: those of a predicate that relates a
 * value of the side with a value of the other one. The search may return rows that do not match: all conditions are
 * tested again.
 *
 * <p>Expressions read the columns of the join. Immutable.
 *
 * @param boxes    rectangles of values
 * @param own      value of a row of the side
 * @param other    value of a row of the other side
 * @param distance third argument of the predicate, a value of the other side or a constant; {@code null} if it has none
 */
public record JoinBoxes(PairBoxes boxes, Expression own, Expression other, Expression distance)
{
    private static final int LEFT = 1;
    private static final int RIGHT = 2;
    /** Marks a value that is not computed again in the same way. */
    private static final int ANY = 4;

    /**
     * The rectangles for one side of a join.
     *
     * @param join   any join
     * @param isLeft whether it is the left side
     * @return {@code null} if its rows cannot be found by rectangles
     */
    public static JoinBoxes of(final FlowNode.Join join, final boolean isLeft)
    {
        if (!join.leftKeys().isEmpty() || join.condition() == null)
        {
            return null;
        }
        for (final Expression each : Conditions.conjuncts(join.condition()))
        {
            final JoinBoxes found = predicate(each) instanceof Expression.FunctionCall call ?
                of(call, join.left().rows().size(), isLeft) : null;
            // A condition that can fail is evaluated for each pair, unless a predicate before it is false.
            if (found != null || Conditions.canFail(each))
            {
                return found;
            }
        }
        return null;
    }

    /** The call of {@code call}, {@code call = true} or {@code true = call}. */
    private static Expression predicate(final Expression condition)
    {
        if (condition instanceof Expression.Call call && call.operation() == Operation.EQUAL)
        {
            final List<Expression> sides = call.arguments();
            return isTrue(sides.get(1)) ? sides.get(0) : isTrue(sides.get(0)) ? sides.get(1) : condition;
        }
        return condition;
    }

    private static boolean isTrue(final Expression expression)
    {
        return expression instanceof Expression.Literal literal && Boolean.TRUE.equals(literal.value());
    }

    private static JoinBoxes of(final Expression.FunctionCall call, final int leftColumns, final boolean isLeft)
    {
        final List<Expression> arguments = call.arguments();
        if (call.function().boxes() == null || arguments.size() < 2 || arguments.size() > 3)
        {
            return null;
        }
        final Expression distance = arguments.size() == 3 ? arguments.get(2) : null;
        final int side = isLeft ? LEFT : RIGHT;
        final int otherSide = LEFT + RIGHT - side;
        final int first = sides(arguments.get(0), leftColumns);
        final int second = sides(arguments.get(1), leftColumns);
        if (first + second != LEFT + RIGHT || first == second ||
            distance != null && (sides(distance, leftColumns) & ~otherSide) != 0)
        {
            return null;
        }
        return first == side ?
            new JoinBoxes(call.function().boxes(), arguments.get(0), arguments.get(1), distance) :
            new JoinBoxes(call.function().boxes(), arguments.get(1), arguments.get(0), distance);
    }

    /** The sides whose columns an expression reads. */
    private static int sides(final Expression expression, final int leftColumns)
    {
        if (expression instanceof Expression.Column column)
        {
            return column.column() < leftColumns ? LEFT : RIGHT;
        }
        if (expression instanceof Expression.Call call)
        {
            return sides(call.arguments(), leftColumns);
        }
        if (expression instanceof Expression.FunctionCall call && call.function().deterministic())
        {
            return sides(call.arguments(), leftColumns);
        }
        return expression instanceof Expression.Literal ? 0 : ANY;
    }

    private static int sides(final List<Expression> expressions, final int leftColumns)
    {
        return expressions.stream().mapToInt(each -> sides(each, leftColumns)).reduce(0, (a, b) -> a | b);
    }
}
