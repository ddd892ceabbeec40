package dev.millrace.command.bench;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.recovery.RecoveryResult;
import dev.millrace.command.recovery.RecoveryRun;
import dev.millrace.command.recovery.RecoverySettings;
import dev.millrace.command.recovery.RecoveryVariant;
import dev.millrace.command.recovery.StateResult;
import dev.millrace.command.recovery.StateRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks that a durable application stores every row exactly once, whenever its process is killed. */
@Command(
    name = "recovery", mixinStandardHelpOptions = true,
    description = {
        "Kills an instance with a durable application again and again under load, starts it each time, and compares" +
        " every row that its sink has stored with an independent computation.",
        "Variants: signal is the sample, durable, with four connections; windows has windows, groups, a join and a" +
        " pattern in two processors. The sink is a database in a separate process.",
        "Moments of a kill: while rows flow, during a snapshot, when a file of the journal begins, during an update" +
        " of the application, and while the instance starts after a kill.",
        "With --state-rows: the time after a kill until an application runs without a journal, with a journal but" +
        " without state, and with a group for each row, and until its first row is stored.",
        "Recovery is the time from the start of the process until the application runs again, after the replay.",
        "Returns 1 when a row is missing, doubled or wrong."},
    footer = {
        "", "Examples:",
        "  millrace bench recovery",
        "  millrace bench recovery --kills 1000 --variant windows --json recovery.json",
        "  millrace bench recovery --state-rows 1000000 --kills 5   starts with a large state",
        "  millrace bench recovery --kills 100 --seed 7             the same moments again"})
final class RecoveryBenchCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--kills", paramLabel = "N", defaultValue = "20",
        description = "Number of kills, 1 to 100000; default ${DEFAULT-VALUE}.")
    private int kills;

    @Option(names = "--variant", paramLabel = "VARIANT", defaultValue = "signal",
        description = "signal or windows; default ${DEFAULT-VALUE}.")
    private String variant;

    @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "0",
        description = "Events per second of all connections, 100 to 1000000; default: 4000, windows 1000.")
    private int rate;

    @Option(names = "--state-rows", paramLabel = "N", defaultValue = "0",
        description = "Instead of a variant: starts of an application with N groups, 1000 to 1000000, and without.")
    private int stateRows;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the moments; default: any, and printed.")
    private Long seed;

    @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of the instance.")
    private Path jdk;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private Path json;

    @Option(names = "--keep", description = "Keep the directory of instance, journals and database.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        OptionRange.check("--kills", kills, 1, 100_000);
        if (rate != 0)
        {
            OptionRange.check("--rate", rate, 100, 1_000_000);
        }
        if (stateRows != 0)
        {
            OptionRange.check("--state-rows", stateRows, 1_000, 1_000_000);
        }
        OutputFile.check("--json", json);
        final RecoverySettings settings = RecoverySettings.of(
            RecoveryVariant.of(variant), kills, rate, seed == null ? System.nanoTime() : seed, jdk, keep);
        final PrintWriter out = spec.commandLine().getOut();
        out.println("  seed " + settings.seed());
        out.flush();
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr());
            StatusLine screen = StatusLine.ofProcess(0, 0, System::nanoTime))
        {
            final Consumer<String> lines = line ->
            {
                screen.clear();
                out.println(line);
                out.flush();
            };
            if (stateRows == 0)
            {
                final RecoveryResult result = RecoveryRun.run(Home.find(), settings, cleanup, screen::show, lines);
                show(result.table(), result.json(), lines);
                result.check();
            }
            else
            {
                final StateResult result =
                    StateRun.run(Home.find(), settings, stateRows, cleanup, screen::show, lines);
                show(result.table(), result.json(), lines);
                result.check();
            }
        }
        return ExitCode.DONE;
    }

    private void show(final String table, final String figures, final Consumer<String> lines) throws IOException
    {
        lines.accept(table.stripTrailing());
        if (json != null)
        {
            Files.writeString(json, figures);
        }
    }
}
