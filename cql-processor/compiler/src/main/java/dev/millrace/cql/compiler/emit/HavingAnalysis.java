package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;

/**
 * Finds aggregations whose HAVING distinguishes a visible group from one that no row has reached: it requires of each
 * sum a property that zero does not have, for example {@code sum(x) >= 100}. A sum without values is stored as zero, so
 * the values are sufficient and no flags need to be stored, which would cost a second cache miss per row.
 */
public final class HavingAnalysis
{
    private static final int UNKNOWN = 2;

    private HavingAnalysis()
    {
    }

    /**
     * Whether a row that HAVING shows, computed from values that start at zero, implies that the group exists and all
     * its sums have values.
     */
    public static boolean implyThatAllAreThere(final Operator.GroupedAggregate aggregate)
    {
        if (aggregate.having() == null || mayFail(aggregate.having()))
        {
            return false;
        }
        final BitSet demanded = new BitSet();
        note(aggregate.having(), aggregate.aggregates(), demanded);
        if (demanded.isEmpty())
        {
            return false;
        }
        for (int i = 0; i < aggregate.aggregates().size(); i++)
        {
            final boolean needsFlag = switch (aggregate.aggregates().get(i).function())
            {
                case COUNT, AVG -> false;
                case SUM -> !demanded.get(i);
                case MIN, MAX -> true;
            };
            if (needsFlag)
            {
                return false;
            }
        }
        return true;
    }

    /** An error in a later condition counts only when earlier ones have not decided; null decides otherwise. */
    private static boolean mayFail(final Expression having)
    {
        final boolean[] found = new boolean[1];
        PlanNode.walk(having, each -> found[0] |= each instanceof Expression.Call call &&
            call.operation() == Operation.DIVIDE && call.type() != CqlType.DOUBLE && call.type() != CqlType.FLOAT);
        return found[0];
    }

    private static void note(final Expression condition, final List<Operator.Aggregate> aggregates,
        final BitSet demanded)
    {
        if (!(condition instanceof Expression.Call call))
        {
            return;
        }
        if (call.operation() == Operation.AND)
        {
            call.arguments().forEach(each -> note(each, aggregates, demanded));
            return;
        }
        if (call.arguments().size() != 2)
        {
            return;
        }
        final Expression left = call.arguments().get(0);
        final Expression right = call.arguments().get(1);
        if (left instanceof Expression.AggregateValue value && right instanceof Expression.Literal literal)
        {
            note(value, call.operation(), signOf(literal), aggregates, demanded);
        }
        else if (right instanceof Expression.AggregateValue value && left instanceof Expression.Literal literal)
        {
            note(value, call.operation().mirrored(), signOf(literal), aggregates, demanded);
        }
    }

    private static void note(final Expression.AggregateValue value, final Operation operation, final int sign,
        final List<Operator.Aggregate> aggregates, final BitSet demanded)
    {
        final Operator.AggregateFunction function = aggregates.get(value.aggregate()).function();
        final boolean startsAtZero = function == Operator.AggregateFunction.SUM ||
            function == Operator.AggregateFunction.COUNT;
        if (startsAtZero && sign != UNKNOWN && !zeroMeets(operation, sign))
        {
            demanded.set(value.aggregate());
        }
    }

    private static int signOf(final Expression.Literal literal)
    {
        if (!(literal.value() instanceof Number number))
        {
            return UNKNOWN;
        }
        final double value = number.doubleValue();
        return Double.isNaN(value) ? UNKNOWN : number instanceof BigDecimal decimal ? decimal.signum() :
            (int)Math.signum(value);
    }

    /** Whether {@code 0 op literal} holds; unknown operations count as if it did. */
    private static boolean zeroMeets(final Operation operation, final int sign)
    {
        return switch (operation)
        {
            case LESS -> sign > 0;
            case LESS_OR_EQUAL -> sign >= 0;
            case GREATER -> sign < 0;
            case GREATER_OR_EQUAL -> sign <= 0;
            case EQUAL -> sign == 0;
            case NOT_EQUAL -> sign != 0;
            default -> true;
        };
    }
}
