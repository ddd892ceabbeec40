package dev.millrace.tuning;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.sun.management.ThreadMXBean;
import dev.millrace.adapter.loadgen.StreamException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the engine in process: CPU time of the thread an event, bytes allocated an event, and the same for a loop
 * written by hand for the same work, round by round in one run. Figures are medians; both sides must have put out the
 * same rows.
 */
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the engine in this process beside hand-written loops that do the same work.",
    footer = {
        "",
        "Figures are medians of the rounds, in CPU time of the measuring thread, so that other load on the machine",
        "matters little. The check compares rows and checksum of the engine with those of the loop."})
public final class EngineBench implements Callable<Integer>
{
    private static final long SEED = 20130917;
    private static final long WARM_UP_NS = 3_000_000_000L;
    private static final long ROUND_NS = 60_000_000L;

    @Option(names = "--workload", paramLabel = "NAME", description = {
        "wire: bytes of frames to signals;  pair: columns to signals;",
        "trend: columns to trends;  grouped-sum: 1, 1000 and 1000000 groups;",
        "window-1s, window-1m: mean and sum by symbol. Default: all."})
    private List<String> workloads = new ArrayList<>();

    @Option(names = "--batch", paramLabel = "ROWS", split = ",", description = "rows a batch, for pair and trend")
    private List<Integer> batches = new ArrayList<>(List.of(256, 64, 10, 1));

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds, at least 1 (default: 9)")
    private int rounds = 9;

    @Option(names = "--json", paramLabel = "FILE", description = "writes a line of JSON a workload")
    private Path json;

    @Option(names = "--text", description = "prints the generated Java text first")
    private boolean text;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /**
     * Runs the benchmarks.
     *
     * @param arguments options, see {@code --help}
     * @return exit code: 0 when all is well
     * @throws Exception when a check fails
     */
    public static int run(final String... arguments) throws Exception
    {
        final CommandLine line = new CommandLine(new EngineBench());
        line.setExecutionExceptionHandler((failure, command, result) ->
        {
            throw failure;
        });
        return line.execute(arguments);
    }

    @Override
    public Integer call() throws IOException, StreamException
    {
        if (rounds < 1 || batches.stream().anyMatch(size -> size < 1 || size > 256))
        {
            throw new CommandLine.ParameterException(
                new CommandLine(this), "--rounds must be at least 1 and --batch 1 to 256");
        }
        System.out.printf(Locale.ROOT, "Java %s, %s, %d processors%n", System.getProperty("java.version"),
            System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors());
        System.out.printf(Locale.ROOT, "%-12s %-16s %9s %17s %12s %9s %9s %17s %6s%n", "workload", "variant",
            "ns/event", "min - max", "events/s", "B/event", "limit ns", "min - max", "ratio");
        final List<String> lines = new ArrayList<>();
        for (final Supplier<Workload> each : selected())
        {
            lines.add(measure(each.get()));
        }
        if (json != null)
        {
            Files.write(json, lines, StandardCharsets.UTF_8);
        }
        return 0;
    }

    private List<Supplier<Workload>> selected()
    {
        final List<String> names = workloads.isEmpty() ? List.of(
            "wire", "pair", "trend", "grouped-sum", "window-1s", "window-1m") : workloads;
        final TickData data = new TickData(SEED);
        final List<Supplier<Workload>> found = new ArrayList<>();
        for (final String name : names)
        {
            switch (name)
            {
                case "wire" -> List.of(10, 1).forEach(rows -> found.add(() -> wire(data, rows)));
                case "pair" -> batches.forEach(
                    size -> found.add(() -> ColumnWorkload.signal(name, Rules.PAIR, data, size)));
                case "trend" -> batches.forEach(
                    size -> found.add(() -> ColumnWorkload.signal(name, Rules.TREND, data, size)));
                case "grouped-sum" -> List.of(1, 1_000, 1_000_000).forEach(
                    groups -> found.add(() -> ColumnWorkload.groupedSum(groups, 256, SEED)));
                case "window-1s" -> found.add(() -> new WindowWorkload(name, 1, data));
                case "window-1m" -> found.add(() -> new WindowWorkload(name, 60, data));
                default -> throw new CommandLine.ParameterException(new CommandLine(this),
                    "unknown workload: " + name + "; use wire, pair, trend, grouped-sum, " +
                    "window-1s or window-1m");
            }
        }
        return found;
    }

    private static Workload wire(final TickData data, final int rowsPerFrame)
    {
        try
        {
            return new WireWorkload(data, rowsPerFrame);
        }
        catch (final StreamException e)
        {
            throw new IllegalStateException("the decoder refuses the benchmark's columns", e);
        }
    }

    private String measure(final Workload workload)
    {
        if (text)
        {
            System.out.println(workload.javaText());
        }
        final int passes = warmUp(workload);
        final double[] engine = new double[rounds];
        final double[] limit = new double[rounds];
        final double[] ratios = new double[rounds];
        final double events = (double)passes * workload.events();
        long allocated = 0;
        for (int round = 0; round < rounds; round++)
        {
            final long bytesBefore = threads.getCurrentThreadAllocatedBytes();
            final long start = threads.getCurrentThreadCpuTime();
            for (int pass = 0; pass < passes; pass++)
            {
                workload.runEngine();
            }
            final long middle = threads.getCurrentThreadCpuTime();
            allocated += threads.getCurrentThreadAllocatedBytes() - bytesBefore;
            for (int pass = 0; pass < passes; pass++)
            {
                workload.runLimit();
            }
            final long end = threads.getCurrentThreadCpuTime();
            engine[round] = (middle - start) / events;
            limit[round] = (end - middle) / events;
            ratios[round] = engine[round] / limit[round];
            check(workload);
        }
        return report(workload, passes, engine, limit, ratios, allocated / (events * rounds));
    }

    /** Runs until compiled and steady; gives the passes that make a round of sensible length. */
    private int warmUp(final Workload workload)
    {
        final long start = threads.getCurrentThreadCpuTime();
        long last = Long.MAX_VALUE;
        while (threads.getCurrentThreadCpuTime() - start < WARM_UP_NS)
        {
            final long before = threads.getCurrentThreadCpuTime();
            workload.runEngine();
            last = Math.min(last, threads.getCurrentThreadCpuTime() - before);
            workload.runLimit();
        }
        check(workload);
        return (int)Math.max(1, ROUND_NS / Math.max(1, last));
    }

    private static void check(final Workload workload)
    {
        final Tally engine = workload.engineTally();
        final Tally limit = workload.limitTally();
        if (engine.rows() != limit.rows() || engine.checksum() != limit.checksum() || engine.rows() == 0)
        {
            throw new IllegalStateException("engine and loop disagree, workload=" + workload.name() + ' ' +
                workload.variant() + " rows=" + engine.rows() + " expected=" + limit.rows() + " checksum=" +
                engine.checksum() + " expected=" + limit.checksum());
        }
    }

    private static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double least(final double[] values)
    {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    private static double greatest(final double[] values)
    {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }

    private String report(final Workload workload, final int passes, final double[] engine, final double[] limit,
        final double[] ratios, final double bytes)
    {
        final double ns = median(engine);
        System.out.printf(Locale.ROOT, "%-12s %-16s %9.2f %8.2f - %6.2f %12.0f %9.3f %9.2f %8.2f - %6.2f %6.2f%n",
            workload.name(), workload.variant(), ns, least(engine), greatest(engine), 1e9 / ns, bytes, median(limit),
            least(limit), greatest(limit), median(ratios));
        final JsonObject line = new JsonObject();
        line.addProperty("workload", workload.name());
        line.addProperty("variant", workload.variant());
        line.addProperty("java", System.getProperty("java.version"));
        line.addProperty("rounds", engine.length);
        line.addProperty("events", (long)passes * workload.events());
        line.addProperty("nsPerEvent", rounded(ns));
        line.addProperty("nsPerEventMin", rounded(least(engine)));
        line.addProperty("nsPerEventMax", rounded(greatest(engine)));
        line.addProperty("eventsPerSec", Math.round(1e9 / ns));
        line.addProperty("bytesPerEvent", rounded(bytes));
        line.addProperty("limitNsPerEvent", rounded(median(limit)));
        line.addProperty("limitNsPerEventMin", rounded(least(limit)));
        line.addProperty("limitNsPerEventMax", rounded(greatest(limit)));
        line.addProperty("ratioToLimit", rounded(median(ratios)));
        line.addProperty("rowsOut", workload.engineTally().rows());
        line.addProperty("checksum", workload.engineTally().checksum());
        return new Gson().toJson(line);
    }
}
