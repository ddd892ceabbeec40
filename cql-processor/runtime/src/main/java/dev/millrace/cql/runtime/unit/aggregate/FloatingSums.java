package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.row.RowRejectedException;
import java.util.Arrays;

/**
 * Sums in words of a record. Floating-point sums have Neumaier's compensation, so that rows that enter and leave cause
 * no drift; values that are not finite are counted separately, since they cannot be subtracted from a sum. Stateless.
 */
public final class FloatingSums
{
    /** Words per floating-point sum. */
    public static final int FLOATING_WORDS = 5;

    private static final int COMPENSATION = 1;
    private static final int NANS = 2;
    private static final int POSITIVES = 3;
    private static final int NEGATIVES = 4;
    /** 2 to the power of 64. */
    private static final double WRAP = 0x1p64;

    private FloatingSums()
    {
    }

    /**
     * Adds to a floating-point sum.
     *
     * @param at    first word of the sum
     * @param value to add
     * @param sign  1 when it enters, -1 when it leaves
     */
    public static void add(final long[] words, final int at, final double value, final int sign)
    {
        if (Double.isFinite(value))
        {
            final double term = sign * value;
            final double sum = Double.longBitsToDouble(words[at]);
            final double next = sum + term;
            words[at] = Double.doubleToRawLongBits(next);
            words[at + COMPENSATION] = Double.doubleToRawLongBits(Double.longBitsToDouble(words[at + COMPENSATION]) +
                (Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum));
        }
        else
        {
            words[at + (Double.isNaN(value) ? NANS : value > 0 ? POSITIVES : NEGATIVES)] += sign;
        }
    }

    /**
     * Adds a floating-point sum to another one.
     *
     * @param at    first word of the sum
     * @param other record of the sum to add
     * @param from  first word of that sum
     * @param sign  1 when it enters, -1 when it leaves
     */
    public static void merge(final long[] words, final int at, final long[] other, final int from, final int sign)
    {
        add(words, at, Double.longBitsToDouble(other[from]), sign);
        final double compensation = Double.longBitsToDouble(other[from + COMPENSATION]);
        if (Double.isFinite(compensation))
        {
            add(words, at, compensation, sign);
        }
        for (int i = NANS; i < FLOATING_WORDS; i++)
        {
            words[at + i] += sign * other[from + i];
        }
    }

    /**
     * Sets a floating-point sum to exactly zero, without any rounding error.
     *
     * @param at first word of the sum
     */
    public static void clear(final long[] words, final int at)
    {
        Arrays.fill(words, at, at + FLOATING_WORDS, 0);
    }

    /**
     * The value of a floating-point sum.
     *
     * @param at first word of the sum
     */
    public static double value(final long[] words, final int at)
    {
        if ((words[at + NANS] | words[at + POSITIVES] | words[at + NEGATIVES]) != 0)
        {
            return words[at + NANS] > 0 || words[at + POSITIVES] > 0 && words[at + NEGATIVES] > 0 ? Double.NaN :
                words[at + POSITIVES] > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        final double sum = Double.longBitsToDouble(words[at]);
        final double exact = sum + Double.longBitsToDouble(words[at + COMPENSATION]);
        return Double.isNaN(exact) ? sum : exact;
    }

    /**
     * How often an integer sum wraps around when a value is added or subtracted.
     *
     * @param sum  before
     * @param sign 1 when the value is added, -1 when it is subtracted
     * @return -1, 0 or 1
     */
    public static long wraps(final long sum, final long value, final int sign)
    {
        final long next = sign > 0 ? sum + value : sum - value;
        final long wrapped = sign > 0 ? (sum ^ next) & (value ^ next) : (sum ^ value) & (sum ^ next);
        return wrapped >= 0 ? 0 : value < 0 ? -sign : sign;
    }

    /**
     * The value of an integer sum that has wrapped around.
     *
     * @param sum   its lower 64 bits
     * @param wraps how often it has wrapped around
     */
    public static double whole(final long sum, final long wraps)
    {
        return wraps == 0 ? sum : wraps * WRAP + sum;
    }

    /**
     * A count as an int.
     *
     * @param count at least 0
     * @throws RowRejectedException when it exceeds the range of int
     */
    public static int count(final long count)
    {
        if (count > Integer.MAX_VALUE)
        {
            throw new RowRejectedException("overflow", "count exceeds the range of int, count=" + count);
        }
        return (int)count;
    }
}
