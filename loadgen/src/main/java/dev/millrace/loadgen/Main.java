package dev.millrace.loadgen;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command line of the load generator: plays one or several property files until they end or Ctrl-C. */
@Command(name = "runloadgen.sh", sortOptions = false, usageHelpWidth = 110, mixinStandardHelpOptions = true,
    version = "Millrace load generator 0.1.0",
    header = "Plays data files over TCP at a configured rate, open-loop.",
    description = {
        "", "Each property file specifies a data file (one event per line, comma-separated), a server and a rate. " +
        "Packets are due by a schedule that never slows down. Reported are rows due (offered), rows written (sent) "
            + "and the " +
        "delay between the two (lag).", ""},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
        "0:the run has ended", "1:internal error of the generator", "2:settings or data file are invalid",
        "3:the server is unreachable or refuses the stream", "4:a connection was lost while sending",
        "130:stopped by Ctrl-C; the summary is written nevertheless"})
public final class Main implements Callable<Integer>
{
    private static final long STOP_SECS = 8;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..*", defaultValue = "${sys:loadgen.properties:-csvgen.prop}",
        description = "Property files, all played by this process (default: ${DEFAULT-VALUE}).")
    private List<Path> files;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "Sets a key in all files, for example " +
        "-Dtest.rate=50000.")
    private Map<String, String> overrides = new LinkedHashMap<>();

    @Option(names = "--summary", paramLabel = "JSON", description = "Writes {\"runs\":[...]} when all runs have ended.")
    private Path summary;

    @Option(names = "--quiet", description = "Prints no progress.")
    private boolean isQuiet;

    /**
     * Entry point.
     *
     * @param args see {@code --help}
     */
    public static void main(final String[] args)
    {
        System.exit(execute(args));
    }

    /**
     * Runs the command line without terminating the process.
     *
     * @param args see {@code --help}
     * @return exit code
     */
    public static int execute(final String... args)
    {
        final CommandLine line = new CommandLine(new Main());
        line.getCommandSpec().usageMessage().footer(footer());
        return line.execute(args);
    }

    private static String[] footer()
    {
        final List<String> lines = new ArrayList<>();
        lines.add("%nKeys of a property file:");
        for (final GeneratorProperty setting : GeneratorProperty.values())
        {
            lines.add(String.format("  %-22s %s", setting.key(), setting.text()) +
                (setting.defaultValue() == null ? "" : " (default " + setting.defaultValue() + ")"));
        }
        lines.add("%nExamples:");
        lines.add("  runloadgen.sh");
        lines.add("  runloadgen.sh ticks.prop -Dtest.rate=50000 -Dtest.ticksPerPacket=10 -Dtest.senders=4");
        lines.add("  runloadgen.sh server1.prop server2.prop --summary run.json");
        return lines.toArray(String[]::new);
    }

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        try
        {
            return play(out);
        }
        catch (final GeneratorException ex)
        {
            spec.commandLine().getErr().println(ex.getMessage());
            return ex.exitCode();
        }
    }

    private int play(final PrintWriter out) throws GeneratorException
    {
        final List<LoadGenerator> generators = new ArrayList<>();
        for (final Path file : files)
        {
            final GeneratorSettings settings = GeneratorSettings.read(file, overrides);
            if (settings.warning() != null)
            {
                spec.commandLine().getErr().println(settings.warning());
            }
            generators.add(new LoadGenerator(settings));
        }
        final CountDownLatch ended = new CountDownLatch(1);
        final Thread hook = new Thread(() -> stop(generators, ended), "loadgen-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            final boolean isSingle = generators.size() == 1;
            final List<RunSummary> runs = LoadGenerator.runAll(generators, isQuiet ? ProgressListener.NONE :
                progress ->
                {
                    out.println((isSingle ? "" : progress.name() + "  ") + progress.line());
                    out.flush();
                });
            if (summary != null)
            {
                RunSummary.write(RunSummary.json(runs), summary);
            }
            runs.forEach(run -> print(out, run));
            return runs.stream().mapToInt(RunSummary::exitCode).max().orElse(0);
        }
        finally
        {
            ended.countDown();
            removeHook(hook);
        }
    }

    private void print(final PrintWriter out, final RunSummary run)
    {
        if (run.failure() != null)
        {
            spec.commandLine().getErr().println(run.failure());
        }
        out.printf(java.util.Locale.ROOT,
            "%s: %s after %.1f s, offered %,d, sent %,d (%,d/s) in %,d packets and %,d writes, lag max %.1f ms%s%n",
            run.file(), run.ended(), run.elapsedSecs(), run.offered(), run.sent(), (long)run.sentPerSec(),
            run.packets(), run.writes(), run.lagMaxMs(),
            run.drained() ? "" : ", the server did not confirm that it has read everything");
        out.flush();
    }

    private static void stop(final List<LoadGenerator> generators, final CountDownLatch ended)
    {
        generators.forEach(LoadGenerator::stop);
        try
        {
            if (!ended.await(STOP_SECS, TimeUnit.SECONDS))
            {
                System.err.println("GEN-0402 the run did not end in time, seconds=" + STOP_SECS +
                    "; the summary may be missing");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeHook(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException alreadyEnding)
        {
            // Shutdown hook in progress: it has been released.
            Thread.yield();
        }
    }
}
