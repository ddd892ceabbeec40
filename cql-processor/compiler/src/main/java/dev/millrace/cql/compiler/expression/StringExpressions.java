package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;

/** Finds expressions for which it pays to cache the result of each string. Stateless. */
final class StringExpressions
{
    private StringExpressions()
    {
    }

    /**
     * The only string on which the value of an expression depends.
     *
     * @return the leaf; {@code null} when there are several or none, when the value may differ from call to call, is an
     *     object, or is as cheap to compute as to look up
     */
    static Expression text(final Expression expression)
    {
        if (!isKept(expression.type()) || !costs(expression) || !isDeterministic(expression))
        {
            return null;
        }
        final Expression leaf = leaf(expression, null);
        return leaf != null && leaf.type() == CqlType.CHAR ? leaf : null;
    }

    private static boolean isKept(final CqlType type)
    {
        return LocalTypes.isPrimitive(type) || type == CqlType.CHAR;
    }

    /** Whether its outermost operation is costly. */
    private static boolean costs(final Expression expression)
    {
        if (expression instanceof Expression.Call call)
        {
            return switch (call.operation())
            {
                case LIKE, CONCAT -> true;
                case IN -> !isLeaf(call.arguments().get(0));
                case CONVERT -> call.type() == CqlType.CHAR || call.arguments().get(0).type() == CqlType.CHAR;
                default -> false;
            };
        }
        return expression instanceof Expression.FunctionCall ||
            expression instanceof Expression.Case && costsSomewhere(expression);
    }

    private static boolean costsSomewhere(final Expression expression)
    {
        return ExpressionParts.of(expression).stream().anyMatch(part -> costs(part) || costsSomewhere(part));
    }

    private static boolean isDeterministic(final Expression expression)
    {
        return (!(expression instanceof Expression.FunctionCall call) || call.function().deterministic()) &&
            ExpressionParts.of(expression).stream().allMatch(StringExpressions::isDeterministic);
    }

    /** Whether it is read and not computed. */
    static boolean isLeaf(final Expression expression)
    {
        return !(expression instanceof Expression.Literal) && ExpressionParts.of(expression).isEmpty() &&
            !(expression instanceof Expression.FunctionCall);
    }

    /** The only leaf, including that of expressions visited before; a literal when there are several. */
    private static Expression leaf(final Expression expression, final Expression before)
    {
        if (isLeaf(expression))
        {
            return before == null || before.equals(expression) ? expression :
                new Expression.Literal(null, CqlType.OBJECT);
        }
        Expression leaf = before;
        for (final Expression part : ExpressionParts.of(expression))
        {
            leaf = leaf(part, leaf);
        }
        return leaf;
    }
}
