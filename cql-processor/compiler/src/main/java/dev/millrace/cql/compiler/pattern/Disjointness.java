package dev.millrace.cql.compiler.pattern;

import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.math.BigDecimal;
import java.util.List;

/**
 * Proves that two conditions never hold together: for complementary comparisons of the same terms, different constants
 * for one term, and null against a value. Conditions without a proof may be disjoint as well. Stateless.
 */
final class Disjointness
{
    private static final int LESS = 1;
    private static final int EQUAL = 2;
    private static final int GREATER = 4;
    /** NaN on one side: neither less nor equal nor greater. */
    private static final int UNORDERED = 8;
    private static final int ANY = 15;

    /** A comparison, and the outcomes for which it holds. */
    private record Comparison(Expression left, Expression right, int outcomes)
    {
        Comparison mirrored()
        {
            return new Comparison(right, left, outcomes & ~(LESS | GREATER) |
                ((outcomes & LESS) != 0 ? GREATER : 0) | ((outcomes & GREATER) != 0 ? LESS : 0));
        }
    }

    private Disjointness()
    {
    }

    /**
     * Whether two conditions exclude each other.
     *
     * @param one   condition, normalized by {@link Conjuncts#ofRow}
     * @param other condition of another variable, normalized in the same way
     * @return true only when it is proven that at most one of them is true
     */
    static boolean areDisjoint(final Expression one, final Expression other)
    {
        return exclude(one, false, other, false);
    }

    /** Whether at most one of two conditions is true, or false when it is negated. */
    private static boolean exclude(final Expression one, final boolean isOneNegated, final Expression other,
        final boolean isOtherNegated)
    {
        if (one instanceof Expression.Call not && not.operation() == Operation.NOT)
        {
            return exclude(not.arguments().get(0), !isOneNegated, other, isOtherNegated);
        }
        if (other instanceof Expression.Call not && not.operation() == Operation.NOT)
        {
            return exclude(one, isOneNegated, not.arguments().get(0), !isOtherNegated);
        }
        if (isChain(one, isOneNegated, Operation.OR))
        {
            return parts(one).stream().allMatch(part -> exclude(part, isOneNegated, other, isOtherNegated));
        }
        if (isChain(other, isOtherNegated, Operation.OR))
        {
            return parts(other).stream().allMatch(part -> exclude(one, isOneNegated, part, isOtherNegated));
        }
        if (isChain(one, isOneNegated, Operation.AND))
        {
            return parts(one).stream().anyMatch(part -> exclude(part, isOneNegated, other, isOtherNegated));
        }
        if (isChain(other, isOtherNegated, Operation.AND))
        {
            return parts(other).stream().anyMatch(part -> exclude(one, isOneNegated, part, isOtherNegated));
        }
        return isRepeatable(one) && isRepeatable(other) && contradict(one, isOneNegated, other, isOtherNegated);
    }

    /** Whether a condition is equivalent to a chain of an operation: not (a or b) is a chain of AND. */
    private static boolean isChain(final Expression expression, final boolean isNegated, final Operation operation)
    {
        return expression instanceof Expression.Call call && (call.operation() == Operation.AND ||
            call.operation() == Operation.OR) && (call.operation() == operation) != isNegated;
    }

    private static List<Expression> parts(final Expression expression)
    {
        return ((Expression.Call)expression).arguments();
    }

    /** Whether two evaluations of the same term yield equal values. */
    private static boolean isRepeatable(final Expression expression)
    {
        return (!(expression instanceof Expression.FunctionCall call) || call.function().deterministic()) &&
            ExpressionParts.of(expression).stream().allMatch(Disjointness::isRepeatable);
    }

    private static boolean contradict(final Expression one, final boolean isOneNegated, final Expression other,
        final boolean isOtherNegated)
    {
        if (one.equals(other))
        {
            return isOneNegated != isOtherNegated;
        }
        if (isNullTest(one, isOneNegated))
        {
            return needsValue(other, isOtherNegated, parts(one).get(0));
        }
        if (isNullTest(other, isOtherNegated))
        {
            return needsValue(one, isOneNegated, parts(other).get(0));
        }
        if (isMembership(one) && !isOneNegated)
        {
            return members(one).stream().allMatch(each -> contradict(each, false, other, isOtherNegated));
        }
        if (isMembership(other) && !isOtherNegated)
        {
            return members(other).stream().allMatch(each -> contradict(one, isOneNegated, each, false));
        }
        final Comparison left = comparison(one, isOneNegated);
        final Comparison right = comparison(other, isOtherNegated);
        return left != null && right != null && (contradict(left, right) || contradict(left, right.mirrored()) ||
            contradict(left.mirrored(), right) || contradict(left.mirrored(), right.mirrored()));
    }

    private static boolean isNullTest(final Expression expression, final boolean isNegated)
    {
        return expression instanceof Expression.Call call &&
            call.operation() == (isNegated ? Operation.IS_NOT_NULL : Operation.IS_NULL);
    }

    /** Whether a condition is unknown whenever a term is null. */
    private static boolean needsValue(final Expression condition, final boolean isNegated, final Expression term)
    {
        if (condition instanceof Expression.Call call &&
            (call.operation() == Operation.IS_NULL || call.operation() == Operation.IS_NOT_NULL))
        {
            return isNullTest(condition, !isNegated) && needs(call.arguments().get(0), term);
        }
        return isMembership(condition) ? needs(parts(condition).get(0), term) : needs(condition, term);
    }

    /** Whether an expression is null whenever one of its terms is. */
    private static boolean needs(final Expression expression, final Expression term)
    {
        if (expression.equals(term))
        {
            return true;
        }
        return expression instanceof Expression.Call call && switch (call.operation())
        {
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER,
                GREATER_OR_EQUAL, CONVERT, LIKE ->
                call.arguments().stream().anyMatch(each -> needs(each, term));
            default -> false;
        };
    }

    private static boolean isMembership(final Expression expression)
    {
        return expression instanceof Expression.Call call && call.operation() == Operation.IN;
    }

    private static List<Expression> members(final Expression membership)
    {
        final List<Expression> arguments = parts(membership);
        return arguments.subList(1, arguments.size()).stream().map(each -> (Expression)new Expression.Call(
            Operation.EQUAL, List.of(arguments.get(0), each), membership.type(), membership.nullable())).toList();
    }

    /** The outcomes for which a comparison holds; {@code null} for another condition. */
    private static Comparison comparison(final Expression expression, final boolean isNegated)
    {
        if (!(expression instanceof Expression.Call call))
        {
            return null;
        }
        final int outcomes = switch (call.operation())
        {
            case LESS -> LESS;
            case LESS_OR_EQUAL -> LESS | EQUAL;
            case EQUAL -> EQUAL;
            case NOT_EQUAL -> ANY & ~EQUAL;
            case GREATER_OR_EQUAL -> GREATER | EQUAL;
            case GREATER -> GREATER;
            default -> 0;
        };
        return outcomes == 0 ? null : new Comparison(call.arguments().get(0), call.arguments().get(1),
            isNegated ? ANY & ~outcomes : outcomes);
    }

    private static boolean contradict(final Comparison one, final Comparison other)
    {
        if (!one.left.equals(other.left))
        {
            return false;
        }
        return one.right.equals(other.right) ? (one.outcomes & other.outcomes) == 0 :
            one.right instanceof Expression.Literal first && other.right instanceof Expression.Literal second &&
            first.value() != null && second.value() != null && contradict(one.outcomes, first, other.outcomes, second);
    }

    /** Whether no value satisfies both a comparison with one constant and a comparison with another constant. */
    private static boolean contradict(
        final int outcomes, final Expression.Literal first, final int otherOutcomes, final Expression.Literal second)
    {
        if (!(first.value() instanceof Number) || !(second.value() instanceof Number))
        {
            return outcomes == EQUAL && otherOutcomes == EQUAL && first.type() == second.type() &&
                (first.value() instanceof String || first.value() instanceof Boolean) &&
                !first.value().equals(second.value());
        }
        final BigDecimal low = number(first);
        final BigDecimal high = number(second);
        if (low == null || high == null || ((outcomes | otherOutcomes) & UNORDERED) != 0)
        {
            return false;
        }
        final int order = low.compareTo(high);
        return order < 0 ? (outcomes & GREATER) == 0 && (otherOutcomes & LESS) == 0 :
            order > 0 ? (outcomes & LESS) == 0 && (otherOutcomes & GREATER) == 0 : (outcomes & otherOutcomes) == 0;
    }

    /** The exact value; {@code null} for a number that is not finite. */
    private static BigDecimal number(final Expression.Literal literal)
    {
        return switch (literal.type())
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL -> BigDecimal.valueOf(((Number)literal.value()).longValue());
            case FLOAT, DOUBLE -> Double.isFinite(((Number)literal.value()).doubleValue()) ?
                new BigDecimal(((Number)literal.value()).doubleValue()) : null;
            case BIGDECIMAL -> (BigDecimal)literal.value();
            default -> null;
        };
    }
}
