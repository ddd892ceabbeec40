package dev.millrace.tuning.harness;

import java.util.Arrays;

/** Statistics of the rounds of a measurement. */
public final class Samples
{
    private Samples()
    {
    }

    /** The median; of an even number of values, the greater of the two in the middle. */
    public static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    public static double least(final double[] values)
    {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    public static double greatest(final double[] values)
    {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }
}
