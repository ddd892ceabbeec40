package dev.millrace.command.scaling.fault;

import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.demo.SampleFigures;
import dev.millrace.command.scaling.fleet.Fleet.Instance;
import java.util.List;

/**
 * Polls whether instances emit rows, and records the longest time without output of any instance. The result may be too
 * long, by the time between two polls, but not too short. An instance whose generator has ended does not count. Not
 * thread-safe.
 */
final class OutputGapProbe
{
    private static final double NS_PER_SECOND = 1e9;

    private final List<Instance> watched;
    private final List<GeneratorProcess> generators;
    private final long[] outputs;
    private final long[] changedNs;
    private long longestNs;

    /** Starts the observation; all instances must already emit rows. */
    OutputGapProbe(final List<Instance> watched, final List<GeneratorProcess> generators) throws InterruptedException
    {
        this.watched = List.copyOf(watched);
        this.generators = List.copyOf(generators);
        this.outputs = new long[watched.size()];
        this.changedNs = new long[watched.size()];
        for (int i = 0; i < outputs.length; i++)
        {
            outputs[i] = output(this.watched.get(i));
            changedNs[i] = System.nanoTime();
        }
    }

    void look() throws InterruptedException
    {
        for (int i = 0; i < outputs.length; i++)
        {
            final boolean isFed = !generators.get(i).await(0);
            final long output = output(watched.get(i));
            final long nowNs = System.nanoTime();
            longestNs = isFed ? Math.max(longestNs, nowNs - changedNs[i]) : longestNs;
            if (output != outputs[i])
            {
                outputs[i] = output;
                changedNs[i] = nowNs;
            }
        }
    }

    double longestSeconds()
    {
        return longestNs / NS_PER_SECOND;
    }

    private static long output(final Instance instance) throws InterruptedException
    {
        final SampleFigures figures = SampleFigures.of(instance.client().statistics(instance.application()));
        return figures.signals() + figures.trends();
    }
}
