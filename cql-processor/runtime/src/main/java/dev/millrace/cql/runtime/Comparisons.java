package dev.millrace.cql.runtime;

/**
 * Branch-free comparisons of floating-point numbers, for generated code that processes whole batches. The results equal
 * those of Java's operators, NaN included.
 *
 * <p>HotSpot compiles {@code a < b} to a jump when one outcome occurred in fewer than a fifth of the cases. On random
 * data such a jump is mispredicted so often that it costs more than the rest of the condition. These methods compare
 * the bits of a number, or of a difference, by integer arithmetic instead. When both "less" and "greater" are needed,
 * the difference is computed once. Thread-safe.
 */
public final class Comparisons
{
    /** The bits of infinity plus one: the smallest NaN without a sign. */
    private static final long LEAST_NAN = 0x7FF0_0000_0000_0001L;
    /** The bits of negative infinity plus one. */
    private static final long LEAST_NEGATIVE_NAN = 0xFFF0_0000_0000_0001L;
    private static final long MINUS_ZERO = Long.MIN_VALUE;

    private Comparisons()
    {
    }

    /** {@code left < right}. */
    public static boolean less(final double left, final double right)
    {
        return below(left - right, MINUS_ZERO);
    }

    /** {@code left > right}. */
    public static boolean greater(final double left, final double right)
    {
        return above(left - right, 0);
    }

    /** {@code left <= right}. */
    public static boolean lessOrEqual(final double left, final double right)
    {
        return !greater(left, right) & isNumber(left) & isNumber(right);
    }

    /** {@code left >= right}. */
    public static boolean greaterOrEqual(final double left, final double right)
    {
        return !less(left, right) & isNumber(left) & isNumber(right);
    }

    /**
     * Whether a number is above a non-negative bound. The bits of positive numbers have the same order as the numbers.
     * A difference of two numbers is above zero when the first is greater; for equal infinities it is NaN.
     *
     * @param bound bits of the bound, from 0 to those of infinity
     * @return false when the number is NaN
     */
    public static boolean above(final double value, final long bound)
    {
        final long bits = Double.doubleToRawLongBits(value);
        return (int)((bound - bits & bits - LEAST_NAN) >>> (Long.SIZE - 1)) != 0;
    }

    /**
     * Whether a number is below a negative bound: the greater the bits, the smaller the number.
     *
     * @param bound bits of the bound, from those of -0.0 to those of negative infinity
     * @return false when the number is NaN
     */
    public static boolean below(final double value, final long bound)
    {
        final long bits = Double.doubleToRawLongBits(value);
        return (int)((bound - bits & bits - LEAST_NEGATIVE_NAN) >>> (Long.SIZE - 1)) != 0;
    }

    /**
     * The lesser number in the order of CQL, in which NaN is the greatest and -0.0 precedes 0.0. For the greater number
     * use {@link Math#max(double, double)}.
     *
     * @return NaN only when both are
     */
    public static double least(final double left, final double right)
    {
        return left != left ? right : right != right ? left : Math.min(left, right);
    }

    /** See {@link #least(double, double)}. */
    public static float least(final float left, final float right)
    {
        return left != left ? right : right != right ? left : Math.min(left, right);
    }

    private static boolean isNumber(final double value)
    {
        final long magnitude = Double.doubleToRawLongBits(value) & Long.MAX_VALUE;
        return (int)((magnitude - LEAST_NAN) >>> (Long.SIZE - 1)) != 0;
    }
}
