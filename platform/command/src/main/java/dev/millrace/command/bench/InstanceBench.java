package dev.millrace.command.bench;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.demo.DemoResult;
import dev.millrace.command.demo.DemoRun;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.demo.SampleBundle;
import dev.millrace.command.demo.SampleInstance;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.loadgen.LoopbackBaseline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the input rate of one instance, with the load generator on the same machine. Every repetition is checked: a
 * figure is valid only when no event was lost and every signal and trend was found.
 */
public final class InstanceBench
{
    private static final int WARM_UP_SECONDS = 5;

    private InstanceBench()
    {
    }

    /**
     * @param feed        the load; with one write per packet, runs alternate with the loopback baseline
     * @param workers     threads of a partitioned rule; 0 = the server's default
     * @param jdk         Java of instance and generator, or {@code null}
     * @param repetitions number of repetitions, after one that is not counted
     * @param out         receives one line per repetition
     * @param err         receives clean-up failures
     * @return acceptedPerSec: all repetitions and median; the same of the loopback baseline and the share of it;
     *         latencyUs of all repetitions together
     * @throws IOException when files cannot be read or written
     */
    public static Map<String, Object> run(
        final Home home, final LoadProfile feed, final int workers, final Path jdk, final int repetitions,
        final PrintWriter out, final PrintWriter err) throws IOException, InterruptedException
    {
        return run(home, false, feed, workers, jdk, repetitions, out, err);
    }

    /**
     * Measures the sample, then the durable sample, with the same load.
     *
     * @param feed        the load; with one write per packet, runs alternate with the loopback baseline
     * @param workers     threads of a partitioned rule; 0 = the server's default
     * @param jdk         Java of instance and generator, or {@code null}
     * @param repetitions number of repetitions of each, after one that is not counted
     * @param out         receives one line per repetition
     * @param err         receives clean-up failures
     * @return the figures of {@link #run} of both, and the share of the rate that the durable one accepts
     * @throws IOException when files cannot be read or written
     */
    public static Map<String, Object> runDurable(
        final Home home, final LoadProfile feed, final int workers, final Path jdk, final int repetitions,
        final PrintWriter out, final PrintWriter err) throws IOException, InterruptedException
    {
        final Map<String, Object> result = new LinkedHashMap<>(run(home, feed, workers, jdk, repetitions, out, err));
        out.println("  durable:");
        final Map<String, Object> durable = run(home, true, feed, workers, jdk, repetitions, out, err);
        result.put("durable", durable);
        result.put("durableShare",
            (double)durable.get("medianAcceptedPerSec") / (double)result.get("medianAcceptedPerSec"));
        return result;
    }

    private static Map<String, Object> run(
        final Home home, final boolean isDurable, final LoadProfile feed, final int workers, final Path jdk,
        final int repetitions, final PrintWriter out, final PrintWriter err) throws IOException, InterruptedException
    {
        final List<Double> accepted = new ArrayList<>();
        final List<Double> limits = new ArrayList<>();
        final List<Double> shares = new ArrayList<>();
        final CleanupStack cleanup = new CleanupStack(err);
        try (cleanup)
        {
            final SampleInstance instance =
                SampleInstance.start(home, bundle(home, isDurable, cleanup), workers, jdk, false, cleanup);
            final DemoRun run = new DemoRun(home, instance, new PrintWriter(Writer.nullWriter()));
            DemoResult last = check(run.run(feed.lasting(WARM_UP_SECONDS), jdk, cleanup));
            for (int i = 1; i <= repetitions; i++)
            {
                last = check(run.run(feed, jdk, cleanup));
                accepted.add(last.acceptedPerSec());
                out.printf("  %d/%d  %,12.0f events/s accepted", i, repetitions, last.acceptedPerSec());
                if (feed.writePerPacket())
                {
                    limits.add(new LoopbackBaseline(feed.connections(), feed.ticksPerPacket()).run(feed.seconds()));
                    shares.add(accepted.get(i - 1) / limits.get(i - 1));
                    out.printf("  %,12.0f baseline  %3.0f %%", limits.get(i - 1), 100 * shares.get(i - 1));
                }
                out.println();
            }
            return result(feed, workers, accepted, limits, shares, last);
        }
    }

    private static Path bundle(final Home home, final boolean isDurable, final CleanupStack cleanup) throws IOException
    {
        return isDurable ? SampleBundle.copy(home.signalGeneration(), cleanup.directory(false).resolve("durable.jar"),
            Map.of(SampleBundle.RULES, SampleBundle::durable)) : home.signalGeneration();
    }

    private static Map<String, Object> result(
        final LoadProfile feed, final int workers, final List<Double> accepted, final List<Double> limits,
        final List<Double> shares, final DemoResult last)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("connections", feed.connections());
        result.put("ticksPerPacket", feed.ticksPerPacket());
        result.put("writePerPacket", feed.writePerPacket());
        result.put("workers", workers);
        result.put("acceptedPerSec", accepted);
        result.put("medianAcceptedPerSec", SampleStatistics.median(accepted));
        if (!limits.isEmpty())
        {
            result.put("loopbackPerSec", limits);
            result.put("medianLoopbackPerSec", SampleStatistics.median(limits));
            result.put("medianShareOfLoopback", SampleStatistics.median(shares));
        }
        result.put("latencyUs", last.latencyUs());
        return result;
    }

    /** Returns rates and latencies of both in two lines, and their ratio. */
    static String durableTable(final Map<String, Object> result)
    {
        final Map<?, ?> durable = (Map<?, ?>)result.get("durable");
        return line("plain", result) + line("durable", durable) + String.format(Locale.ROOT,
            "  the durable sample accepts %.0f %% of the rate%n", 100 * (double)result.get("durableShare"));
    }

    private static String line(final String name, final Map<?, ?> figures)
    {
        final Map<?, ?> latency = (Map<?, ?>)figures.get("latencyUs");
        return String.format(Locale.ROOT, "  %-8s %,12.0f events/s  latency %,.0f us 50 %%  %,.0f us 99 %%%n", name,
            figures.get("medianAcceptedPerSec"), latency.get("p50"), latency.get("p99"));
    }

    static DemoResult check(final DemoResult result)
    {
        if (!result.isRight())
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0145", "the figures are wrong:\n" + result.table(),
                "a rate with a wrong result is not valid; internal error, please report it");
        }
        return result;
    }
}
