package dev.millrace.tuning.rules;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.RuleChange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the cost of rules before their first row: deploying many, planning and compiling one, replacing one. */
@Command(
    name = "rules",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the cost of deploying many queries, planning and compiling one, and replacing one.",
    footer = {
        "",
        "The queries are filters, windows with groups, joins, patterns and others in turn, all different. Deployment",
        "comes first, so that it includes the loading of classes and the execution of uncompiled code; the other",
        "figures are measured after a warm-up. Times per query are CPU time of the measuring thread.",
        "",
        "Examples:",
        "  millrace bench rules",
        "  millrace bench rules --queries 100 --replacements 50 --json rules.json"})
public final class RulesBench implements Callable<Integer>
{
    private static final double NS_A_MS = 1e6;
    private static final double MIB = 1 << 20;
    /** Beyond the numbers of the queries that were deployed. */
    private static final int FRESH = 100_000;
    /** Queries that run in addition to the one that is replaced. */
    private static final int NEIGHBOURS = 12;

    @Option(names = "--queries", paramLabel = "N", description = "queries to deploy and to measure (default: 1000)")
    private int queries = 1_000;

    @Option(names = "--replacements", paramLabel = "N",
        description = "how often a running query is replaced (default: 1000)")
    private int replacements = 1_000;

    @Option(names = "--json", paramLabel = "FILE", description = "writes the figures as a line of JSON")
    private Path json;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final JsonObject figures = new JsonObject();

    /**
     * Runs the benchmark.
     *
     * @param arguments options, see {@code --help}
     * @return exit code: 0 on success
     * @throws Exception when a check fails
     */
    public static int run(final String... arguments) throws Exception
    {
        final CommandLine line = new CommandLine(new RulesBench());
        line.setExecutionExceptionHandler((failure, command, result) ->
        {
            throw failure;
        });
        return line.execute(arguments);
    }

    @Override
    public Integer call() throws IOException, DeploymentException, CqlException
    {
        if (queries < 1 || replacements < 0)
        {
            throw new CommandLine.ParameterException(
                new CommandLine(this), "--queries must be at least 1 and --replacements at least 0");
        }
        System.out.printf(Locale.ROOT, "Java %s, %s, %d processors%n", System.getProperty("java.version"),
            System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors());
        figures.addProperty("java", System.getProperty("java.version"));
        figures.addProperty("queries", queries);
        deploy();
        single();
        if (replacements > 0)
        {
            replace();
        }
        if (json != null)
        {
            Files.writeString(json, new Gson().toJson(figures) + "\n", StandardCharsets.UTF_8);
        }
        return 0;
    }

    private void deploy() throws DeploymentException
    {
        final RuleNetwork network = new RuleNetwork();
        for (int i = 0; i < queries; i++)
        {
            network.with("q" + i, RuleMix.text(i));
        }
        final long start = System.nanoTime();
        final long cpuStart = threads.getCurrentThreadCpuTime();
        try (RuleNetwork running = network.start())
        {
            final double seconds = (System.nanoTime() - start) / 1e9;
            final double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpuStart) / 1e9;
            running.send(200);
            if (running.rows() == 0)
            {
                throw new IllegalStateException("no query emitted a row");
            }
            System.out.printf(Locale.ROOT,
                "%d queries deployed in %.2f s, %.2f s of them CPU; then %d rows produced %d%n",
                queries, seconds, cpuSeconds, 400, running.rows());
            figures.addProperty("deploySeconds", rounded(seconds));
            figures.addProperty("deployCpuSeconds", rounded(cpuSeconds));
            change(running);
        }
    }

    /** Adds one query to all the others. */
    private void change(final RuleNetwork running) throws DeploymentException
    {
        final long start = System.nanoTime();
        final RuleChange change = running.replace("another", RuleMix.text(FRESH));
        final double ms = (System.nanoTime() - start) / NS_A_MS;
        System.out.printf(Locale.ROOT, "one query in addition to %d: %.1f ms, events waited %.2f ms%n", queries, ms,
            change.pausedNs() / NS_A_MS);
        figures.addProperty("oneMoreMs", rounded(ms));
        figures.addProperty("oneMorePausedMs", rounded(change.pausedNs() / NS_A_MS));
    }

    private void single() throws CqlException
    {
        final Catalog catalog =
            Catalog.builder().stream("ticks", RuleMix.TICK).stream("orders", RuleMix.ORDER).build();
        for (int i = 0; i < queries; i++)
        {
            build(catalog, FRESH + queries + i, new double[2], 0);
        }
        System.out.printf("%-14s %8s %8s %8s   of which planning%n", "ms per query", "median", "p99", "max");
        final int kinds = RuleMix.KINDS.size();
        final double[][] times = new double[2][queries];
        for (int i = 0; i < queries; i++)
        {
            final double[] both = new double[2];
            build(catalog, FRESH + 2 * queries + i, both, 0);
            times[0][i] = both[0] + both[1];
            times[1][i] = both[0];
        }
        for (int kind = 0; kind < Math.min(kinds, queries); kind++)
        {
            final int first = Math.floorMod(kind - FRESH - 2 * queries, kinds);
            final double[] all = every(times[0], first, kinds);
            if (all.length > 0)
            {
                print(RuleMix.KINDS.get(kind).name(), all, every(times[1], first, kinds));
            }
        }
        print("all", times[0], times[1]);
        figures.addProperty("planAndCompileMsMedian", rounded(part(times[0], 0.5)));
        figures.addProperty("planAndCompileMsP99", rounded(part(times[0], 0.99)));
    }

    /** Plans and compiles one query; records the CPU time of both. */
    private void build(final Catalog catalog, final int number, final double[] ms, final int at) throws CqlException
    {
        final RuleText rule = RuleText.query("q" + number, RuleMix.text(number));
        final long start = threads.getCurrentThreadCpuTime();
        final ProcessorPlan plan = new RulePlanner().plan("bench", List.of(rule), catalog);
        final long planned = threads.getCurrentThreadCpuTime();
        for (final PipelinePlan pipeline : plan.pipelines())
        {
            new PipelineCompiler().compile(pipeline);
        }
        for (final FlowPlan flow : plan.flows())
        {
            new FlowCompiler().compile(flow);
        }
        ms[at] = (planned - start) / NS_A_MS;
        ms[at + 1] = (threads.getCurrentThreadCpuTime() - planned) / NS_A_MS;
    }

    private void replace() throws DeploymentException
    {
        final RuleNetwork network = new RuleNetwork();
        for (int i = 0; i < NEIGHBOURS; i++)
        {
            network.with("q" + i, RuleMix.text(i));
        }
        final double[] ms = new double[replacements];
        final double[] paused = new double[replacements];
        try (RuleNetwork running = network.with("other", RuleMix.text(FRESH)).start())
        {
            running.send(100);
            final Loaded before = Loaded.now();
            for (int i = 0; i < replacements; i++)
            {
                final long start = System.nanoTime();
                paused[i] = running.replace("other", RuleMix.text(FRESH + i + 1)).pausedNs() / NS_A_MS;
                ms[i] = (System.nanoTime() - start) / NS_A_MS;
                running.send(1);
            }
            final Loaded after = Loaded.now();
            System.out.printf(Locale.ROOT,
                "%d replacements among %d queries: median %.1f ms, p99 %.1f ms; events waited %.2f ms, p99 %.2f ms%n",
                replacements, NEIGHBOURS, part(ms, 0.5), part(ms, 0.99), part(paused, 0.5), part(paused, 0.99));
            System.out.printf(Locale.ROOT, "  classes %d -> %d, metaspace %.1f -> %.1f MiB, heap %.1f -> %.1f MiB%n",
                before.classes, after.classes, before.metaspace / MIB, after.metaspace / MIB, before.heap / MIB,
                after.heap / MIB);
            figures.addProperty("replacements", replacements);
            figures.addProperty("replaceMsMedian", rounded(part(ms, 0.5)));
            figures.addProperty("replaceMsP99", rounded(part(ms, 0.99)));
            figures.addProperty("replacePausedMsMedian", rounded(part(paused, 0.5)));
            figures.addProperty("replacePausedMsP99", rounded(part(paused, 0.99)));
            figures.addProperty("classesGrown", after.classes - before.classes);
            figures.addProperty("metaspaceGrownBytes", after.metaspace - before.metaspace);
            figures.addProperty("heapGrownBytes", after.heap - before.heap);
        }
    }

    /**
     * Memory in use after a garbage collection.
     *
     * @param classes   loaded classes
     * @param metaspace bytes of their metadata
     * @param heap      bytes of objects
     */
    private record Loaded(int classes, long metaspace, long heap)
    {
        static Loaded now()
        {
            // Twice: class loaders are released in one collection, and their classes in the next one.
            System.gc();
            System.gc();
            final long metaspace = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Metaspace")).map(MemoryPoolMXBean::getUsage)
                .mapToLong(usage -> usage.getUsed()).sum();
            return new Loaded(ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(), metaspace,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
    }

    private static double[] every(final double[] values, final int first, final int step)
    {
        final double[] some = new double[Math.max(0, (values.length - first + step - 1) / step)];
        for (int i = 0; i < some.length; i++)
        {
            some[i] = values[first + i * step];
        }
        return some;
    }

    private static void print(final String name, final double[] ms, final double[] planning)
    {
        System.out.printf(Locale.ROOT, "%-14s %8.2f %8.2f %8.2f   %8.2f%n", name, part(ms, 0.5), part(ms, 0.99),
            part(ms, 1), part(planning, 0.5));
    }

    private static double part(final double[] values, final double share)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int)Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }
}
