package dev.millrace.command.bench;

import java.util.Arrays;
import java.util.List;

/** Statistics of repetitions. */
final class SampleStatistics
{
    private SampleStatistics()
    {
    }

    static double median(final List<Double> values)
    {
        final double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
