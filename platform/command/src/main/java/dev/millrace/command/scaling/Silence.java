package dev.millrace.command.scaling;

import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.demo.SampleFigures;
import dev.millrace.command.scaling.Fleet.Instance;
import java.util.List;

/**
 * Looks again and again whether instances put rows out, and keeps the longest time in which one did not. What it says
 * is too long rather than too short, by the time between two looks. An instance that is not fed any more does not
 * count. For one thread.
 */
final class Silence
{
    private static final double NS_PER_SECOND = 1e9;

    private final List<Instance> watched;
    private final List<GeneratorProcess> generators;
    private final long[] outputs;
    private final long[] changedNs;
    private long longestNs;

    /** Begins; all of them put rows out already. */
    Silence(final List<Instance> watched, final List<GeneratorProcess> generators) throws InterruptedException
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
