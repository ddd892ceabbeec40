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
import java.util.stream.IntStream;

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

    /** The sample, or the durable sample, in an instance. */
    private static final class Candidate
    {
        private final String name;
        private final DemoRun run;
        private final List<Double> accepted = new ArrayList<>();
        private final List<Double> limits = new ArrayList<>();
        private final List<Double> shares = new ArrayList<>();
        private DemoResult last;

        Candidate(final String name, final DemoRun run)
        {
            this.name = name;
            this.run = run;
        }

        void measure(final LoadProfile feed, final Path jdk, final CleanupStack cleanup, final PrintWriter out)
            throws IOException, InterruptedException
        {
            last = check(run.run(feed, jdk, cleanup));
            accepted.add(last.acceptedPerSec());
            out.printf("%s  %,12.0f events/s accepted", name, last.acceptedPerSec());
            if (feed.writePerPacket())
            {
                final double limit = new LoopbackBaseline(feed.connections(), feed.ticksPerPacket())
                    .run(feed.seconds());
                limits.add(limit);
                shares.add(last.acceptedPerSec() / limit);
                out.printf("  %,12.0f baseline  %3.0f %%", limit, 100 * last.acceptedPerSec() / limit);
            }
            out.println();
        }
    }

    /**
     * @param feed        the load; with one write per packet, runs alternate with the loopback baseline
     * @param isDurable   whether the durable sample is measured, too, in turns with the sample
     * @param workers     threads of a partitioned rule; 0 = the server's default
     * @param jdk         Java of instance and generator, or {@code null}
     * @param repetitions number of repetitions, after one that is not counted
     * @param out         receives one line per repetition
     * @param err         receives clean-up failures
     * @return acceptedPerSec: all repetitions and median; the same of the loopback baseline and the share of it;
     *         latencyUs of all repetitions together; durable: the same of the durable sample, and durableShare, the
     *         median of its share of the rate in each turn
     * @throws IOException when files cannot be read or written
     */
    public static Map<String, Object> run(final Home home, final LoadProfile feed, final boolean isDurable,
        final int workers, final Path jdk, final int repetitions, final PrintWriter out, final PrintWriter err)
        throws IOException, InterruptedException
    {
        final CleanupStack cleanup = new CleanupStack(err);
        try (cleanup)
        {
            final Candidate plain = start("", home, home.signalGeneration(), workers, jdk, cleanup);
            final List<Candidate> candidates = !isDurable ? List.of(plain) : List.of(plain,
                start(" durable", home, durable(home, cleanup), workers, jdk, cleanup));
            for (final Candidate candidate : candidates)
            {
                check(candidate.run.run(feed.lasting(WARM_UP_SECONDS), jdk, cleanup));
            }
            for (int i = 1; i <= repetitions; i++)
            {
                for (final Candidate candidate : candidates)
                {
                    out.printf("  %d/%d", i, repetitions);
                    candidate.measure(feed, jdk, cleanup, out);
                }
            }
            final Map<String, Object> result = result(feed, workers, plain);
            if (isDurable)
            {
                final Candidate durable = candidates.get(1);
                result.put("durable", result(feed, workers, durable));
                result.put("durableShare", SampleStatistics.median(IntStream.range(0, repetitions).mapToObj(i ->
                    durable.accepted.get(i) / plain.accepted.get(i)).toList()));
            }
            return result;
        }
    }

    private static Candidate start(final String name, final Home home, final Path bundle, final int workers,
        final Path jdk, final CleanupStack cleanup) throws IOException, InterruptedException
    {
        final SampleInstance instance = SampleInstance.start(home, bundle, workers, jdk, false, cleanup);
        return new Candidate(name, new DemoRun(home, instance, new PrintWriter(Writer.nullWriter())));
    }

    private static Path durable(final Home home, final CleanupStack cleanup) throws IOException
    {
        return SampleBundle.copy(home.signalGeneration(), cleanup.directory(false).resolve("durable.jar"),
            Map.of(SampleBundle.RULES, SampleBundle::durable));
    }

    private static Map<String, Object> result(final LoadProfile feed, final int workers, final Candidate candidate)
    {
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("connections", feed.connections());
        result.put("ticksPerPacket", feed.ticksPerPacket());
        result.put("writePerPacket", feed.writePerPacket());
        result.put("workers", workers);
        result.put("acceptedPerSec", candidate.accepted);
        result.put("medianAcceptedPerSec", SampleStatistics.median(candidate.accepted));
        if (feed.writePerPacket())
        {
            result.put("loopbackPerSec", candidate.limits);
            result.put("medianLoopbackPerSec", SampleStatistics.median(candidate.limits));
            result.put("medianShareOfLoopback", SampleStatistics.median(candidate.shares));
        }
        result.put("latencyUs", candidate.last.latencyUs());
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
