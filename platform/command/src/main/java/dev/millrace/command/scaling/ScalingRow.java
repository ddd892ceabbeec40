package dev.millrace.command.scaling;

import dev.millrace.command.scaling.ScalingSettings.Step;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * One row of the table. Rates and latencies are of the measured time, without warm-up; counts are of all that was sent
 * since the beginning.
 *
 * @param step           the load
 * @param offeredPerSec  events over all instances
 * @param instances      what each did
 * @param accepted       rows that all have taken in
 * @param sent           rows that all were sent
 * @param output         rows that came out
 * @param expectedOutput rows that must have come out
 * @param cpu            what the processors did in the measured time
 * @param hiccups        how late a thread that did nothing else woke up, nanoseconds
 */
record ScalingRow(Step step, double offeredPerSec, List<InstanceRow> instances, long accepted, long sent, long output,
    long expectedOutput, CpuUse cpu, Histogram hiccups)
{
    private static final double NS_PER_US = 1e3;

    /**
     * What one instance did.
     *
     * @param name           of the instance
     * @param acceptedPerSec events
     * @param outputPerSec   rows
     * @param latency        from the moment an event was due until its row came out, nanoseconds
     * @param residentMiB    memory at the end
     * @param isRight        whether nothing was lost, rejected or wrong since the beginning
     */
    record InstanceRow(String name, double acceptedPerSec, double outputPerSec, Histogram latency, double residentMiB,
        boolean isRight)
    {
        double avgUs()
        {
            return latency.getMean() / NS_PER_US;
        }

        double percentileUs(final double percentile)
        {
            return latency.getValueAtPercentile(percentile) / NS_PER_US;
        }

        double maxUs()
        {
            return latency.getMaxValue() / NS_PER_US;
        }
    }

    ScalingRow
    {
        instances = List.copyOf(instances);
    }

    boolean isRight()
    {
        return instances.stream().allMatch(InstanceRow::isRight);
    }

    double acceptedPerSec()
    {
        return instances.stream().mapToDouble(InstanceRow::acceptedPerSec).sum();
    }

    double outputPerSec()
    {
        return instances.stream().mapToDouble(InstanceRow::outputPerSec).sum();
    }

    double maxUs()
    {
        return most(InstanceRow::maxUs);
    }

    double serverRssMiB()
    {
        return instances.stream().mapToDouble(InstanceRow::residentMiB).sum();
    }

    double least(final ToDoubleFunction<InstanceRow> figure)
    {
        return instances.stream().mapToDouble(figure).min().orElse(Double.NaN);
    }

    double most(final ToDoubleFunction<InstanceRow> figure)
    {
        return instances.stream().mapToDouble(figure).max().orElse(Double.NaN);
    }

    double hiccupUs(final double percentile)
    {
        return hiccups.getValueAtPercentile(percentile) / NS_PER_US;
    }

    /** Latencies of all instances together. */
    Histogram latency()
    {
        final Histogram all = instances.get(0).latency().copy();
        instances.subList(1, instances.size()).forEach(instance -> all.add(instance.latency()));
        return all;
    }
}
