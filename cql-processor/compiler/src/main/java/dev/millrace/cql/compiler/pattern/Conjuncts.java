package dev.millrace.cql.compiler.pattern;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.PatternExpression;
import java.util.ArrayList;
import java.util.List;

/**
 * Normalizes conditions of different variables so that equal expressions have equal values: references to the current
 * row no longer name the variable. Stateless.
 */
final class Conjuncts
{
    /** The set of variables in references to the current row. */
    static final long ROW = 0;

    private Conjuncts()
    {
    }

    /**
     * Normalizes a condition.
     *
     * @param expression condition or part of it
     * @param variable   whose condition it is
     * @return equal to the condition of another variable only if both have the same value for the same attempt and row
     */
    static Expression ofRow(final Expression expression, final int variable)
    {
        if (expression instanceof PatternExpression.Navigation leaf)
        {
            final boolean isOwn = (leaf.variables() & 1L << variable) != 0;
            final boolean isRow = isOwn && leaf.end() == PatternExpression.End.LAST && leaf.offset() == 0;
            // The flag of FINAL, which conditions do not use, marks references that count the current row.
            return new PatternExpression.Navigation(isRow ? ROW : leaf.variables(), leaf.end(), leaf.offset(),
                leaf.back(), leaf.maxAgeMs(), isRow || !isOwn, leaf.column(), leaf.type());
        }
        if (expression instanceof PatternExpression.Aggregate leaf)
        {
            return new PatternExpression.Aggregate(leaf.variables(), leaf.function(), leaf.arguments(),
                leaf.distinct(), (leaf.variables() & 1L << variable) == 0, leaf.type());
        }
        if (expression instanceof PatternExpression.Classifier leaf)
        {
            final boolean isOwn = (leaf.variables() & 1L << variable) != 0;
            final boolean isRow = isOwn && leaf.isOfLast();
            // It may be the current row, whose variable no other condition has; only earlier rows have a limit of age.
            return new PatternExpression.Classifier(isRow ? 1L << variable : leaf.variables(), leaf.end(),
                leaf.offset(), leaf.back(), isOwn && !isRow && leaf.back() <= 0 ? -2 - variable : leaf.maxAgeMs(),
                !isOwn);
        }
        if (expression instanceof Expression.Call call)
        {
            return new Expression.Call(call.operation(), each(call.arguments(), variable), call.type(),
                call.nullable());
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            return new Expression.FunctionCall(call.function(), each(call.arguments(), variable), call.type());
        }
        if (expression instanceof Expression.Case choice)
        {
            return new Expression.Case(each(choice.conditions(), variable), each(choice.values(), variable),
                ofRow(choice.otherwise(), variable), choice.type());
        }
        return expression;
    }

    private static List<Expression> each(final List<Expression> expressions, final int variable)
    {
        final List<Expression> rewritten = new ArrayList<>();
        expressions.forEach(each -> rewritten.add(ofRow(each, variable)));
        return rewritten;
    }
}
