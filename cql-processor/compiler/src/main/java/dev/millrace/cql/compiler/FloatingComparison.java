package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Operation;

/**
 * Order of floating numbers without a jump: by the bits of their difference or, when one is a constant, of the other
 * number alone, which takes about half of the instructions.
 */
final class FloatingComparison
{
    private FloatingComparison()
    {
    }

    /**
     * Code of the comparison.
     *
     * @param call  comparison of two floating numbers
     * @param left  code of the first
     * @param right code of the second
     * @return code without a jump, or {@code null} when the operator itself does as well
     */
    static String code(final Expression.Call call, final String left, final String right)
    {
        final Expression first = call.arguments().get(0);
        final Expression second = call.arguments().get(1);
        String code = null;
        if (isOrder(call.operation()))
        {
            code = isNumber(second) ? beside(left, call.operation(), number(second)) :
                isNumber(first) ? beside(right, mirrored(call.operation()), number(first)) : null;
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

    private static boolean isOrder(final Operation operation)
    {
        return operation == Operation.LESS || operation == Operation.LESS_OR_EQUAL ||
            operation == Operation.GREATER || operation == Operation.GREATER_OR_EQUAL;
    }

    private static Operation mirrored(final Operation operation)
    {
        return switch (operation)
        {
            case LESS -> Operation.GREATER;
            case LESS_OR_EQUAL -> Operation.GREATER_OR_EQUAL;
            case GREATER -> Operation.LESS;
            default -> Operation.LESS_OR_EQUAL;
        };
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

    /** A number beside a constant; {@code null} when bits do not tell, as of -1 and more, where both signs count. */
    private static String beside(final String value, final Operation operation, final double constant)
    {
        final long bits = Double.doubleToRawLongBits(Math.abs(constant));
        return switch (operation)
        {
            case GREATER -> constant >= 0 ? above(value, bits, "> " + constant) : null;
            case GREATER_OR_EQUAL -> constant > 0 ? above(value, bits - 1, ">= " + constant) : null;
            case LESS -> constant <= 0 ? below(value, bits, "< " + constant) : null;
            default -> constant < 0 ? below(value, bits - 1, "<= " + constant) : null;
        };
    }

    private static String above(final String value, final long bits, final String meaning)
    {
        return "Comparisons.above(" + value + ", " + bits + "L /* " + meaning + " */)";
    }

    private static String below(final String value, final long bits, final String meaning)
    {
        final String bound = JavaTypes.number(bits | Long.MIN_VALUE, CqlType.BIGINT);
        return "Comparisons.below(" + value + ", " + bound + " /* " + meaning + " */)";
    }
}
