package dev.millrace.tuning.harness;

import com.sun.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Times of the additional loops of a workload, round by round. Not thread-safe. */
final class ComparedTimes
{
    private final List<ComparedLoop> loops;
    private final ThreadMXBean threads;
    private final Map<String, double[]> times = new HashMap<>();

    ComparedTimes(final List<ComparedLoop> loops, final int rounds, final ThreadMXBean threads)
    {
        this.loops = loops;
        this.threads = threads;
        loops.forEach(each -> times.put(each.name(), new double[rounds]));
    }

    /** Runs each loop for a number of passes and events in all. */
    void run(final int round, final int passes, final double events)
    {
        for (final ComparedLoop each : loops)
        {
            final long start = threads.getCurrentThreadCpuTime();
            for (int pass = 0; pass < passes; pass++)
            {
                each.pass().run();
            }
            times.get(each.name())[round] = (threads.getCurrentThreadCpuTime() - start) / events;
        }
    }

    /** Adds their figures, given the engine's times. */
    void describe(final BenchResult result, final double[] engine)
    {
        times.put(ComparedLoop.ENGINE, engine);
        for (final ComparedLoop each : loops)
        {
            final double[] own = times.get(each.name());
            result.with(each.figure(), Samples.median(own));
            if (each.rated() != null)
            {
                final double[] other = times.get(each.rated());
                final double[] ratios = new double[own.length];
                for (int round = 0; round < ratios.length; round++)
                {
                    ratios[round] = other[round] / own[round];
                }
                result.with(each.ratio(), Samples.median(ratios));
            }
        }
    }
}
