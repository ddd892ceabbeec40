package dev.millrace.cql.runtime;

import java.math.BigDecimal;
import java.math.MathContext;

/** Arithmetic of {@code bigdecimal} columns for generated code: null in, null out. Safe for all threads. */
public final class Decimals
{
    /** Digits of a quotient that does not end. */
    private static final MathContext QUOTIENT = MathContext.DECIMAL128;

    private Decimals()
    {
    }

    /**
     * Sum.
     *
     * @param left  number or {@code null}
     * @param right number or {@code null}
     * @return exact sum or {@code null}
     */
    public static BigDecimal add(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? null : left.add(right);
    }

    /**
     * Difference.
     *
     * @param left  number or {@code null}
     * @param right number or {@code null}
     * @return exact difference or {@code null}
     */
    public static BigDecimal subtract(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? null : left.subtract(right);
    }

    /**
     * Product.
     *
     * @param left  number or {@code null}
     * @param right number or {@code null}
     * @return exact product or {@code null}
     */
    public static BigDecimal multiply(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? null : left.multiply(right);
    }

    /**
     * Quotient to 34 digits.
     *
     * @param left  number or {@code null}
     * @param right number or {@code null}
     * @return quotient; {@code null} when an operand is null or the divisor is zero, which the caller has noticed
     */
    public static BigDecimal divide(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null || right.signum() == 0 ? null : left.divide(right, QUOTIENT);
    }

    /**
     * Negative.
     *
     * @param value number or {@code null}
     * @return negative or {@code null}
     */
    public static BigDecimal negate(final BigDecimal value)
    {
        return value == null ? null : value.negate();
    }

    /**
     * Whether a divisor is zero.
     *
     * @param value number or {@code null}
     * @return true only for zero
     */
    public static boolean isZero(final BigDecimal value)
    {
        return value != null && value.signum() == 0;
    }

    /**
     * Compares by value, so that 1.0 equals 1.00.
     *
     * @param left  number or {@code null}
     * @param right number or {@code null}
     * @return negative, 0 or positive; 0 when one is null, which the caller handles by itself
     */
    public static int compare(final BigDecimal left, final BigDecimal right)
    {
        return left == null || right == null ? 0 : left.compareTo(right);
    }
}
