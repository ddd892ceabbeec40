package dev.millrace.cql.runtime.pattern.attempt;

/** Neumaier's sum of doubles in two longs of a record: total and what was lost. For generated code. Keeps no state. */
public final class CompensatedSum
{
    /** Longs that it takes. */
    public static final int WORDS = 2;

    private CompensatedSum()
    {
    }

    /**
     * Adds a value.
     *
     * @param words record
     * @param at    place of the total
     * @param value what is added
     */
    public static void add(final long[] words, final int at, final double value)
    {
        final double sum = Double.longBitsToDouble(words[at]);
        words[at + 1] = Double.doubleToRawLongBits(Double.longBitsToDouble(words[at + 1]) + lost(sum, value));
        words[at] = Double.doubleToRawLongBits(sum + value);
    }

    private static double lost(final double sum, final double value)
    {
        final double total = sum + value;
        return Math.abs(sum) >= Math.abs(value) ? sum - total + value : value - total + sum;
    }

    /**
     * The sum.
     *
     * @param words record
     * @param at    place of the total
     * @return value
     */
    public static double value(final long[] words, final int at)
    {
        return value(Double.longBitsToDouble(words[at]), Double.longBitsToDouble(words[at + 1]));
    }

    /**
     * The sum with one more value.
     *
     * @param words record
     * @param at    place of the total
     * @param more  that value
     * @return sum of all
     */
    public static double value(final long[] words, final int at, final double more)
    {
        final double sum = Double.longBitsToDouble(words[at]);
        return value(sum + more, Double.longBitsToDouble(words[at + 1]) + lost(sum, more));
    }

    private static double value(final double total, final double compensation)
    {
        return Double.isFinite(total) ? total + compensation : total;
    }
}
