package dev.millrace.cql.runtime;

/**
 * Comparisons of floating numbers without a branch, for generated code that works on whole batches: the same results
 * as Java's operators, NaN included.
 *
 * <p>HotSpot makes a jump of {@code a < b} when one outcome was seen in fewer than a fifth of the cases. On data
 * that is as good as random each such jump is mispredicted often enough to cost more than all the rest of a
 * condition. Here the bits of a number, or of a difference, are compared by integer arithmetic instead. The difference
 * of two numbers is worked out once when both less and greater are asked for. Safe for all threads.
 */
public final class Comparisons
{
    /** One more than the bits of infinity: the least NaN without sign. */
    private static final long LEAST_NAN = 0x7FF0_0000_0000_0001L;
    /** One more than the bits of negative infinity. */
    private static final long LEAST_NEGATIVE_NAN = 0xFFF0_0000_0000_0001L;
    private static final long MINUS_ZERO = Long.MIN_VALUE;

    private Comparisons()
    {
    }

    /**
     * {@code left < right}.
     *
     * @param left  number
     * @param right number
     * @return false when one is NaN
     */
    public static boolean less(final double left, final double right)
    {
        return below(left - right, MINUS_ZERO);
    }

    /**
     * {@code left > right}.
     *
     * @param left  number
     * @param right number
     * @return false when one is NaN
     */
    public static boolean greater(final double left, final double right)
    {
        return above(left - right, 0);
    }

    /**
     * {@code left <= right}.
     *
     * @param left  number
     * @param right number
     * @return false when one is NaN
     */
    public static boolean lessOrEqual(final double left, final double right)
    {
        return !greater(left, right) & isNumber(left) & isNumber(right);
    }

    /**
     * {@code left >= right}.
     *
     * @param left  number
     * @param right number
     * @return false when one is NaN
     */
    public static boolean greaterOrEqual(final double left, final double right)
    {
        return !less(left, right) & isNumber(left) & isNumber(right);
    }

    /**
     * Whether a number is above one that is not negative: bits of positive numbers are in the order of the numbers. A
     * difference of two numbers is above zero when the first is greater, and for equal infinities it is NaN.
     *
     * @param value number
     * @param bound bits of the other, from 0 to those of infinity
     * @return false when the number is NaN
     */
    public static boolean above(final double value, final long bound)
    {
        final long bits = Double.doubleToRawLongBits(value);
        return (int)((bound - bits & bits - LEAST_NAN) >>> (Long.SIZE - 1)) != 0;
    }

    /**
     * Whether a number is below one that is negative: the greater the bits, the less the number.
     *
     * @param value number
     * @param bound bits of the other, from those of -0.0 to those of negative infinity
     * @return false when the number is NaN
     */
    public static boolean below(final double value, final long bound)
    {
        final long bits = Double.doubleToRawLongBits(value);
        return (int)((bound - bits & bits - LEAST_NEGATIVE_NAN) >>> (Long.SIZE - 1)) != 0;
    }

    /**
     * The lesser number in the order of CQL, in which NaN is the greatest and -0.0 comes before 0.0. The greater one is
     * what {@link Math#max(double, double)} says.
     *
     * @param left  number
     * @param right number
     * @return NaN only when both are
     */
    public static double least(final double left, final double right)
    {
        return left != left ? right : right != right ? left : Math.min(left, right);
    }

    /**
     * As {@link #least(double, double)}.
     *
     * @param left  number
     * @param right number
     * @return NaN only when both are
     */
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
