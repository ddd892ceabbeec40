package dev.millrace.command.bench;

import dev.millrace.command.demo.DemoResult;
import dev.millrace.command.demo.DemoRun;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.demo.SampleInstance;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Feeds one instance at a share of its maximum rate, if requested for hours, and samples its resources after a full
 * garbage collection. Connections are opened again after each sample, and every row, signal and trend is checked.
 */
public final class SoakBench
{
    private static final int PEAK_RUNS = 3;
    private static final int PEAK_SECONDS = 5;

    private SoakBench()
    {
    }

    /**
     * Runs the soak on the main thread.
     *
     * @param cleanup  closes the instance and the generators
     * @param progress receives each sample and its number, from 1
     * @return samples and result
     * @throws IOException when files cannot be read or written
     */
    public static SoakResult run(final Home home, final SoakSettings settings, final CleanupStack cleanup,
        final BiConsumer<Integer, SoakSample> progress) throws IOException, InterruptedException
    {
        final SampleInstance instance = SampleInstance.start(home, 0, settings.jdk(), false, cleanup);
        final DemoRun run = new DemoRun(home, instance, new PrintWriter(Writer.nullWriter()));
        final long rate = settings.ratePerSec() > 0 ? settings.ratePerSec() :
            Math.max(1, Math.round(peak(run, settings, cleanup) * settings.loadPercent() / 100.0));
        final List<SoakSample> samples = new ArrayList<>();
        for (int i = 1; i <= settings.samples(); i++)
        {
            final DemoResult result = InstanceBench.check(
                run.run(feed(settings, rate, settings.sampleSeconds()), settings.jdk(), cleanup));
            samples.add(SoakSample.take(instance.process(), settings.jdk(), result.sent()));
            progress.accept(i, samples.get(i - 1));
        }
        return new SoakResult(rate, List.copyOf(samples));
    }

    private static double peak(final DemoRun run, final SoakSettings settings, final CleanupStack cleanup)
        throws IOException, InterruptedException
    {
        final List<Double> accepted = new ArrayList<>();
        for (int i = 0; i < PEAK_RUNS; i++)
        {
            accepted.add(InstanceBench.check(
                run.run(feed(settings, 0, PEAK_SECONDS), settings.jdk(), cleanup)).acceptedPerSec());
        }
        return SampleStatistics.median(accepted);
    }

    private static LoadProfile feed(final SoakSettings settings, final long rate, final int seconds)
    {
        return new LoadProfile(settings.connections(), rate, settings.ticksPerPacket(), seconds, 0, false, 0, true);
    }
}
