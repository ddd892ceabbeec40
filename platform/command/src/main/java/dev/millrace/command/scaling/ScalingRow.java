package dev.millrace.command.scaling;

import dev.millrace.command.scaling.fleet.CpuUsage;
import dev.millrace.command.scaling.fleet.ScalingSettings.Step;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * One row of the table. Rates and latencies cover the measured time, without warm-up; counts cover all rows since the
 * start.
 *
 * @param step           the load
 * @param offeredPerSec  events per second of all instances
 * @param instances      results per instance
 * @param accepted       rows accepted by all instances
 * @param sent           rows sent to all instances
 * @param output         emitted rows
 * @param expectedOutput expected emitted rows
 * @param cpu            use of the processors in the measured time
 * @param hiccups        delays of an idle thread, nanoseconds
 */
public record ScalingRow(Step step, double offeredPerSec, List<InstanceRow> instances, long accepted, long sent,
    long output,
    long expectedOutput, CpuUsage cpu, Histogram hiccups)
{
    private static final double NS_PER_US = 1e3;

    /**
     * Result of one instance.
     *
     * @param name           name of the instance
     * @param acceptedPerSec events
     * @param outputPerSec   rows
     * @param latency        from the due time of an event until its row was emitted, nanoseconds
     * @param residentMiB    memory at the end
     * @param isRight        whether nothing was lost, rejected or wrong since the start
     */
    public record InstanceRow(String name, double acceptedPerSec, double outputPerSec, Histogram latency,
        double residentMiB,
        boolean isRight)
    {
        public double avgUs()
        {
            return latency.getMean() / NS_PER_US;
        }

        public double percentileUs(final double percentile)
        {
            return latency.getValueAtPercentile(percentile) / NS_PER_US;
        }

        double maxUs()
        {
            return latency.getMaxValue() / NS_PER_US;
        }
    }

    public ScalingRow
    {
        instances = List.copyOf(instances);
    }

    public boolean isRight()
    {
        return instances.stream().allMatch(InstanceRow::isRight);
    }

    public double acceptedPerSec()
    {
        return instances.stream().mapToDouble(InstanceRow::acceptedPerSec).sum();
    }

    public double outputPerSec()
    {
        return instances.stream().mapToDouble(InstanceRow::outputPerSec).sum();
    }

    public double maxUs()
    {
        return most(InstanceRow::maxUs);
    }

    public double serverRssMiB()
    {
        return instances.stream().mapToDouble(InstanceRow::residentMiB).sum();
    }

    public double least(final ToDoubleFunction<InstanceRow> figure)
    {
        return instances.stream().mapToDouble(figure).min().orElse(Double.NaN);
    }

    public double most(final ToDoubleFunction<InstanceRow> figure)
    {
        return instances.stream().mapToDouble(figure).max().orElse(Double.NaN);
    }

    public double hiccupUs(final double percentile)
    {
        return hiccups.getValueAtPercentile(percentile) / NS_PER_US;
    }

    /** Returns the latencies of all instances together. */
    public Histogram latency()
    {
        final Histogram all = instances.get(0).latency().copy();
        instances.subList(1, instances.size()).forEach(instance -> all.add(instance.latency()));
        return all;
    }
}
