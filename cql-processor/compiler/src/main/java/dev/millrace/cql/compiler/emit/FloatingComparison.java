package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.util.function.LongFunction;

/**
 * Branch-free comparison of floating-point numbers: by the bits of their difference or, when one is a constant, of the
 * other number alone, which takes about half as many instructions.
 */
final class FloatingComparison
{
    private FloatingComparison()
    {
    }

    /**
     * Code of the comparison.
     *
     * @param call   comparison of two floating-point numbers
     * @param left   code of the first operand
     * @param right  code of the second operand
     * @param bounds returns code of the bits of a constant
     * @return branch-free code, or {@code null} when the operator itself is as good
     */
    static String code(final Expression.Call call, final String left, final String right,
        final LongFunction<String> bounds)
    {
        final Expression first = call.arguments().get(0);
        final Expression second = call.arguments().get(1);
        String code = null;
        if (isOrder(call.operation()))
        {
            code = isNumber(second) ? beside(left, call.operation(), number(second), bounds) :
                isNumber(first) ? beside(right, call.operation().mirrored(), number(first), bounds) : null;
        }
        final String method = switch (call.operation())
        {
            case LESS -> "less";
            case LESS_OR_EQUAL -> "lessOrEqual";
            case GREATER -> "greater";
            case GREATER_OR_EQUAL -> "greaterOrEqual";
            default -> null;
        };
        return code != null || method == null ? code : "Comparisons." + method + '(' + left + ", " + right + ')';
    }

    /**
     * The number {@code x} of a condition {@code x > c or x < -c}, both with or both without equality.
     *
     * @param either two or more conditions
     * @return the number, or {@code null} when the conditions have another form
     */
    static Expression farFromZero(final Expression.Call either)
    {
        if (either.arguments().size() != 2)
        {
            return null;
        }
        final Side one = Side.of(either.arguments().get(0));
        final Side other = Side.of(either.arguments().get(1));
        final boolean isPair = one != null && other != null && one.value.equals(other.value) &&
            one.operation == other.operation.mirrored() && one.constant == -other.constant &&
            one.magnitudeCode("", bits -> "") != null;
        return isPair ? one.value : null;
    }

    /**
     * Code of both conditions of {@link #farFromZero} as one comparison.
     *
     * @param side      one of them
     * @param magnitude code of the number without sign
     * @param bounds    as for {@link #code}
     */
    static String outside(final Expression side, final String magnitude, final LongFunction<String> bounds)
    {
        return Side.of(side).magnitudeCode(magnitude, bounds);
    }

    /** A number compared with a constant. */
    private record Side(Expression value, Operation operation, double constant)
    {
        /** Parses a comparison; {@code null} when the expression has another form. */
        static Side of(final Expression expression)
        {
            if (!(expression instanceof Expression.Call call) || !isOrder(call.operation()))
            {
                return null;
            }
            final Expression left = call.arguments().get(0);
            final Expression right = call.arguments().get(1);
            if (left.type() != CqlType.DOUBLE && left.type() != CqlType.FLOAT || left.type() != right.type())
            {
                return null;
            }
            return isNumber(right) ? new Side(left, call.operation(), number(right)) :
                isNumber(left) ? new Side(right, call.operation().mirrored(), number(left)) : null;
        }

        /** The comparison of magnitudes; {@code null} unless the number is on the far side of the constant. */
        String magnitudeCode(final String magnitude, final LongFunction<String> bounds)
        {
            final boolean isAbove = operation == Operation.GREATER || operation == Operation.GREATER_OR_EQUAL;
            final boolean isFar = isAbove ? constant >= 0 : constant <= 0;
            return isFar ? beside(magnitude, isAbove ? operation : operation.mirrored(), Math.abs(constant), bounds) :
                null;
        }
    }

    private static boolean isOrder(final Operation operation)
    {
        return operation == Operation.LESS || operation == Operation.LESS_OR_EQUAL ||
            operation == Operation.GREATER || operation == Operation.GREATER_OR_EQUAL;
    }

    private static boolean isNumber(final Expression expression)
    {
        return expression instanceof Expression.Literal literal && literal.value() instanceof Number &&
            !Double.isNaN(number(expression));
    }

    private static double number(final Expression literal)
    {
        final Number value = (Number)((Expression.Literal)literal).value();
        return literal.type() == CqlType.FLOAT ? value.floatValue() : value.doubleValue();
    }

    /**
     * A number compared with a constant; {@code null} when bits are not sufficient, as for negative bounds, where both
     * signs count.
     */
    private static String beside(final String value, final Operation operation, final double constant,
        final LongFunction<String> bounds)
    {
        final long bits = Double.doubleToRawLongBits(Math.abs(constant));
        return switch (operation)
        {
            case GREATER -> constant >= 0 ? above(value, bounds.apply(bits)) : null;
            case GREATER_OR_EQUAL -> constant > 0 ? above(value, bounds.apply(bits - 1)) : null;
            case LESS -> constant <= 0 ? below(value, bounds.apply(bits | Long.MIN_VALUE)) : null;
            default -> constant < 0 ? below(value, bounds.apply(bits - 1 | Long.MIN_VALUE)) : null;
        };
    }

    private static String above(final String value, final String bound)
    {
        return "Comparisons.above(" + value + ", " + bound + ')';
    }

    private static String below(final String value, final String bound)
    {
        return "Comparisons.below(" + value + ", " + bound + ')';
    }
}
