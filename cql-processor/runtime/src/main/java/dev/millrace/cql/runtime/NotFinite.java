package dev.millrace.cql.runtime;

import java.util.Arrays;

/**
 * How many values that are no finite numbers are in each sum of a window. They are counted apart, since nothing could
 * take them out of a sum again.
 *
 * <p>Threads: confined to one thread.
 */
public final class NotFinite
{
    /** NaN, positive and negative infinities of each sum, side by side. */
    private int[] counts = new int[0];
    private boolean any;

    /**
     * Whether there has ever been one.
     *
     * @return false until the first
     */
    public boolean any()
    {
        return any;
    }

    /**
     * A value enters a sum or leaves it.
     *
     * @param slot  of the sum
     * @param value not finite
     * @param sign  1 or -1
     */
    public void change(final int slot, final double value, final int sign)
    {
        any = true;
        final int at = slot * 3;
        if (at + 3 > counts.length)
        {
            counts = Arrays.copyOf(counts, Math.max(16, at * 2 + 3));
        }
        counts[at + (value != value ? 0 : value > 0 ? 1 : 2)] += sign;
    }

    /**
     * The value of a sum.
     *
     * @param slot of the sum
     * @param sum  of its finite values
     * @return the same, or what the others make of it
     */
    public double sum(final int slot, final double sum)
    {
        final int at = slot * 3;
        if (at + 3 > counts.length)
        {
            return sum;
        }
        if (counts[at] > 0 || counts[at + 1] > 0 && counts[at + 2] > 0)
        {
            return Double.NaN;
        }
        return counts[at + 1] > 0 ? Double.POSITIVE_INFINITY : counts[at + 2] > 0 ? Double.NEGATIVE_INFINITY : sum;
    }
}
