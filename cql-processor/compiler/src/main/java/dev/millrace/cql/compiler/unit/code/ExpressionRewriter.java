package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** Rewrites expressions. Stateless. */
public final class ExpressionRewriter
{
    private ExpressionRewriter()
    {
    }

    /** An expression with its columns replaced by other expressions. */
    public static Expression over(final Expression expression, final IntFunction<Expression> columns)
    {
        if (expression instanceof Expression.Column column)
        {
            return columns.apply(column.column());
        }
        if (expression instanceof Expression.Call call)
        {
            return new Expression.Call(
                call.operation(), over(call.arguments(), columns), call.type(), call.nullable());
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            return new Expression.FunctionCall(call.function(), over(call.arguments(), columns), call.type());
        }
        if (expression instanceof Expression.Case choice)
        {
            return new Expression.Case(over(choice.conditions(), columns), over(choice.values(), columns),
                over(choice.otherwise(), columns), choice.type());
        }
        return expression;
    }

    private static List<Expression> over(final List<Expression> expressions, final IntFunction<Expression> columns)
    {
        return expressions.stream().map(each -> over(each, columns)).toList();
    }

    /** The columns of a row after projections. */
    public static List<Expression> behind(final List<FlowNode.Calc> calcs, final List<Expression> row)
    {
        List<Expression> last = row;
        for (final FlowNode.Calc calc : calcs)
        {
            if (calc.fields() != null)
            {
                final List<Expression> before = last;
                last = calc.fields().stream().map(field -> over(field.expression(), before::get)).toList();
            }
        }
        return last;
    }

    /** Adds the columns of an expression. */
    public static void columns(final Expression expression, final Set<Integer> columns)
    {
        over(expression, column ->
        {
            columns.add(column);
            return expression;
        });
    }
}
