package dev.millrace.cql.runtime.pattern.attempt;

/** Neumaier's sum of doubles in two longs of a record: total and compensation. For generated code. Stateless. */
public final class CompensatedSum
{
    /** Longs per sum. */
    public static final int WORDS = 2;

    private CompensatedSum()
    {
    }

    /**
     * Adds a value.
     *
     * @param at index of the total
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
     * @param at index of the total
     */
    public static double value(final long[] words, final int at)
    {
        return value(Double.longBitsToDouble(words[at]), Double.longBitsToDouble(words[at + 1]));
    }

    /**
     * The sum with one more value, which is not added to the record.
     *
     * @param at index of the total
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
