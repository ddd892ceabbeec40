package dev.millrace.cql.plan.expression;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import java.util.List;

/** Static analysis of conditions. */
public final class Conditions
{
    private Conditions()
    {
    }

    /**
     * Splits a conjunction into its conditions, in order.
     *
     * @param condition {@code null} for none
     */
    public static List<Expression> conjuncts(final Expression condition)
    {
        if (condition == null)
        {
            return List.of();
        }
        if (!(condition instanceof Expression.Call call) || call.operation() != Operation.AND)
        {
            return List.of(condition);
        }
        return call.arguments().stream().flatMap(argument -> conjuncts(argument).stream()).toList();
    }

    /**
     * Combines conditions by {@code and}.
     *
     * @return {@code null} for no conditions
     */
    public static Expression conjunction(final List<Expression> conditions)
    {
        return conditions.size() < 2 ? conditions.stream().findFirst().orElse(null) : new Expression.Call(
            Operation.AND, conditions, CqlType.BOOLEAN, conditions.stream().anyMatch(Expression::nullable));
    }

    /**
     * Whether the evaluation of an expression can fail for some row.
     *
     * @param expression {@code null} for none
     * @return false only when every row has a value or null
     */
    public static boolean canFail(final Expression expression)
    {
        return expression instanceof Expression.FunctionCall || expression instanceof Expression.Case ||
            expression instanceof Expression.Call call && (call.operation() == Operation.DIVIDE &&
                call.type() != CqlType.DOUBLE && call.type() != CqlType.FLOAT ||
                call.operation() == Operation.LIKE || isParsed(call) ||
                call.type().storage() == ColumnStorage.REFERENCE ||
                call.arguments().stream().anyMatch(Conditions::canFail));
    }

    /** Whether a value is parsed from a string, which can be malformed. */
    private static boolean isParsed(final Expression.Call call)
    {
        return call.operation() == Operation.CONVERT && call.arguments().get(0).type() == CqlType.CHAR;
    }
}
