package dev.millrace.cql.runtime;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Arithmetic on {@code bigdecimal} columns for generated code. The result is null when an operand is null. Thread-safe.
 */
public final class Decimals
{
    /** Precision of a quotient that has no finite decimal expansion. */
    private static final MathContext QUOTIENT = MathContext.DECIMAL128;

    private Decimals()
    {
    }

    public static BigDecimal add(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? null : left.add(right);
    }

    public static BigDecimal subtract(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? null : left.subtract(right);
    }

    public static BigDecimal multiply(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? null : left.multiply(right);
    }

    /**
     * Quotient to 34 digits.
     *
     * @return {@code null} when an operand is null or the divisor is zero, which the caller has already detected
     */
    public static BigDecimal divide(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null || right.signum() == 0 ? null : left.divide(right, QUOTIENT);
    }

    public static BigDecimal negate(final BigDecimal value)
    {
        return value == null ? null : value.negate();
    }

    public static boolean isZero(final BigDecimal value)
    {
        return value != null && value.signum() == 0;
    }

    /**
     * Compares by value, so that 1.0 equals 1.00.
     *
     * @return negative, 0 or positive; 0 when an operand is null, which the caller handles separately
     */
    public static int compare(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? 0 : left.compareTo(right);
    }
}
