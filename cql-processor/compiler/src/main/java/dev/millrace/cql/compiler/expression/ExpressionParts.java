package dev.millrace.cql.compiler.expression;

import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/** Direct subexpressions. */
public final class ExpressionParts
{
    private ExpressionParts()
    {
    }

    /** The direct subexpressions of an expression: operands, arguments, or conditions and values; none for a leaf. */
    public static List<Expression> of(final Expression expression)
    {
        if (expression instanceof Expression.Call call)
        {
            return call.arguments();
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            return call.arguments();
        }
        if (expression instanceof Expression.Case choice)
        {
            final List<Expression> parts = new ArrayList<>(choice.conditions());
            parts.addAll(choice.values());
            parts.add(choice.otherwise());
            return parts;
        }
        return List.of();
    }
}
