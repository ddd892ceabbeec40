package dev.millrace.tuning;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.CommandSupport;
import dev.millrace.tuning.harness.Measurement;
import dev.millrace.tuning.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code millrace bench engine}: options, and selection of workloads. {@link Workloads} lists the
 * workloads, {@link Measurement} measures them, {@link Report} shows the results.
 */
@Command(
    name = "millrace bench engine",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the engine in this process, compared with hand-written loops that do the same work.",
    footer = {
        "",
        "Figures are medians of the rounds, in CPU time of the measuring thread, so that other load on the machine",
        "has little effect. The check compares rows and checksum of the engine with those of the loop. Workloads with",
        "threads, a pace or a store describe their figures in the output.",
        "",
        "Examples:",
        "  millrace bench engine --list",
        "  millrace bench engine --workload pair --workload grouped-sum:1000",
        "  millrace bench engine --workload pair --batch 1 --rounds 15 --jdk /usr/lib/jvm/java-25",
        "  millrace bench engine --short --json engine.json && millrace bench compare engine.json",
        "",
        "Exit codes: 0 success, 1 a check failed, 64 wrong usage, 130 interrupted."})
public final class EngineBench implements Callable<Integer>
{
    private static final int ROUNDS = 9;
    private static final int SHORT_ROUNDS = 3;

    @Option(names = "--workload", paramLabel = "NAME", description = {
        "workload to measure: a name, or name:variant; may be repeated.", "Default: all workloads, see --list."})
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "shows the workloads and their variants")
    private boolean list;

    @Option(names = "--rounds", paramLabel = "N", description = "measured rounds, at least 1 (default: 9, short: 3)")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "N",
        description = "length of a round of workloads that run at a pace (default: depends on the workload)")
    private int seconds;

    @Option(names = "--short", description = "short form: less of everything, sufficient to detect a factor of two")
    private boolean brief;

    @Option(names = "--batch", paramLabel = "ROWS", description = "rows per batch for pair and trend, 1 to 256")
    private int batchSize = BenchContext.BATCH;

    @Option(names = "--rows-per-frame", paramLabel = "ROWS", description = "rows per frame for wire (default: 10)")
    private int rowsPerFrame = BenchContext.ROWS_PER_FRAME;

    @Option(names = "--events", paramLabel = "N",
        description = "events of unique-keys (default: 5,000,000, short: 200,000)")
    private long events;

    @Option(names = "--json", paramLabel = "FILE", description = "writes a line of JSON per workload")
    private Path json;

    @Option(names = "--jdk", paramLabel = "DIR", description = "runs in the Java of this home, 17 or newer")
    private Path jdk;

    @Option(names = "--text", description = "prints the generated Java source text first")
    private boolean text;

    @Spec
    private CommandSpec spec;

    private final List<String> arguments;

    private EngineBench(final List<String> arguments)
    {
        this.arguments = arguments;
    }

    /**
     * Runs the benchmarks and exits the process; the entry point when another Java was requested.
     *
     * @param arguments options, see {@code --help}
     * @throws Exception when a check fails
     */
    public static void main(final String[] arguments) throws Exception
    {
        System.exit(run(arguments));
    }

    /**
     * Runs the benchmarks.
     *
     * @param arguments options, see {@code --help}
     * @return exit code: 0 on success
     * @throws Exception when a check fails
     */
    public static int run(final String... arguments) throws Exception
    {
        return CommandSupport.run(new EngineBench(Arrays.asList(arguments)), arguments);
    }

    @Override
    public Integer call() throws IOException
    {
        check(rounds >= 0 && seconds >= 0 && events >= 0, "--rounds, --seconds and --events must be at least 1");
        check(batchSize >= 1 && batchSize <= BenchContext.BATCH, "--batch must be 1 to 256");
        check(rowsPerFrame >= 1 && rowsPerFrame <= 1_000, "--rows-per-frame must be 1 to 1000");
        final List<Workloads.Entry> entries = entries();
        if (list)
        {
            entries.forEach(each -> System.out.printf(Locale.ROOT, "%-28s %s%n", each.fullName(), each.description()));
            return CommandSupport.DONE;
        }
        try
        {
            return jdk == null ? CommandSupport.interruptible(() -> measure(entries)) :
                new ForkedJvm(jdk, EngineBench.class).run(arguments);
        }
        catch (final InterruptedException e)
        {
            return CommandSupport.INTERRUPTED;
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void check(final boolean isRight, final String message)
    {
        if (!isRight)
        {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private List<Workloads.Entry> entries()
    {
        try
        {
            return Workloads.named(names);
        }
        catch (final IllegalArgumentException e)
        {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int measure(final List<Workloads.Entry> entries) throws InterruptedException, IOException
    {
        final StatusLine progress = BenchContext.progressOfProcess();
        final BenchContext setting = new BenchContext(rounds > 0 ? rounds : brief ? SHORT_ROUNDS :
            ROUNDS, seconds, brief, text,
            batchSize, rowsPerFrame, progress);
        setting.events(events);
        try (Report report = new Report(System.out, progress, json))
        {
            report.head();
            for (final Workloads.Entry each : entries)
            {
                each.run(setting, report);
            }
        }
        finally
        {
            progress.clear();
        }
        return CommandSupport.DONE;
    }
}
