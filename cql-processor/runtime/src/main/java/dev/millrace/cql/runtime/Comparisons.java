package dev.millrace.cql.runtime;

/**
 * Comparisons of floating numbers without a branch, for generated code that works on whole batches: the same results
 * as Java's operators, NaN included.
 *
 * <p>HotSpot makes a jump of {@code a < b} when one outcome was seen in fewer than a fifth of the cases. On data
 * that is as good as random each such jump is mispredicted often enough to cost more than all the rest of a
 * condition. Here the sign bit of a difference is taken apart by integer arithmetic instead. Safe for all threads.
 */
public final class Comparisons
{
    /** Added to the bits of a negative number, keeps the sign for all but NaN. */
    private static final long ABOVE_NEGATIVE_INFINITY = 0x000F_FFFF_FFFF_FFFFL;
    /** One more than the bits of infinity: the least NaN without sign. */
    private static final long LEAST_NAN = 0x7FF0_0000_0000_0001L;

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
        return signOfLess(left, right) != 0;
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
        return signOfLess(right, left) != 0;
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
        return ((signOfLess(right, left) ^ 1) & isNumber(left) & isNumber(right)) != 0;
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
        return ((signOfLess(left, right) ^ 1) & isNumber(left) & isNumber(right)) != 0;
    }

    /**
     * 1 when the difference is negative: its bits are negative, not those of negative zero, and not those of NaN. Two
     * equal infinities differ by NaN and so are not less.
     */
    private static int signOfLess(final double left, final double right)
    {
        final long bits = Double.doubleToRawLongBits(left - right);
        return (int)((bits & (bits - 1) & (bits + ABOVE_NEGATIVE_INFINITY)) >>> (Long.SIZE - 1));
    }

    private static int isNumber(final double value)
    {
        final long magnitude = Double.doubleToRawLongBits(value) & Long.MAX_VALUE;
        return (int)((magnitude - LEAST_NAN) >>> (Long.SIZE - 1));
    }
}
