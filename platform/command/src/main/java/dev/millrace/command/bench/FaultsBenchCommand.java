package dev.millrace.command.bench;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.scaling.fault.Fault;
import dev.millrace.command.scaling.fault.FaultResult;
import dev.millrace.command.scaling.fault.FaultRun;
import dev.millrace.command.scaling.fault.FaultSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how a cluster reacts when instances are killed or paused. */
@Command(
    name = "faults", mixinStandardHelpOptions = true,
    description = {
        "Kills or pauses one of many instances under load, and checks the effect on the others.",
        "The others must lose nothing and keep emitting, and the instance must rejoin automatically. Every row is" +
        " checked. Returns 1 when a limit is violated.",
        "  kill         kill -9 of one instance under load; then it is started again",
        "  pause        one is paused (SIGSTOP) for longer than the failure detection time, then resumed",
        "  coordinator  kill -9 of the coordinator during a deployment; then it is started again",
        "  port         a generator for a port on which no process listens"},
    footer = {
        "", "Examples:",
        "  millrace bench faults                                         ten instances, all faults",
        "  millrace bench faults --instances 3 --faults kill,port --rate 5000 --json faults.json",
        "  millrace bench faults --faults pause --pause 60",
        "  millrace bench faults --faults kill --before 120              a long time after its start"})
final class FaultsBenchCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--instances", paramLabel = "N", defaultValue = "10",
        description = "Server instances, 2 to 100; default ${DEFAULT-VALUE}.")
    private int instances;

    @Option(names = "--faults", paramLabel = "LIST", defaultValue = "kill,pause,coordinator,port",
        description = "Faults, in this order; default ${DEFAULT-VALUE}.")
    private String faults;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "1",
        description = "Connections of each generator, 1 to 64; default ${DEFAULT-VALUE}.")
    private int connections;

    @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "10000",
        description = "Events per second to each instance; default ${DEFAULT-VALUE}.")
    private long rate;

    @Option(names = "--before", paramLabel = "S", defaultValue = "0",
        description = "Seconds of load before the fault, 1 to 3600; default: 3, plus 1.5 per instance.")
    private int beforeSeconds;

    @Option(names = "--pause", paramLabel = "S", defaultValue = "30",
        description = "How long the instance is paused, 1 to 600 seconds; default ${DEFAULT-VALUE}.")
    private int pauseSeconds;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private Path json;

    @Option(names = "--keep", description = "Keep the directories of instances and generators.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        OptionRange.check("--instances", instances, 2, 100);
        OptionRange.check("--connections", connections, 1, 64);
        OptionRange.check("--rate", rate, 1000, 10_000_000);
        OptionRange.check("--before", beforeSeconds, 0, 3600);
        OptionRange.check("--pause", pauseSeconds, 1, 600);
        OutputFile.check("--json", json);
        final FaultSettings settings =
            new FaultSettings(instances, chosen(faults), connections, rate, beforeSeconds, pauseSeconds, keep);
        final PrintWriter out = spec.commandLine().getOut();
        final FaultResult result;
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr());
            StatusLine screen = StatusLine.ofProcess(0, 0, System::nanoTime))
        {
            result = FaultRun.run(Home.find(), settings, cleanup, screen::show, line ->
            {
                screen.clear();
                out.println(line);
                out.flush();
            });
        }
        if (json != null)
        {
            Files.writeString(json, result.json());
        }
        result.check();
        return ExitCode.DONE;
    }

    static List<Fault> chosen(final String text)
    {
        final List<Fault> chosen = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            chosen.add(Arrays.stream(Fault.values()).filter(fault -> fault.label().equals(part.strip())).findFirst()
                .orElseThrow(() -> new CommandException(ExitCode.USAGE, "CMD-0191", "no such fault, --faults=" + text +
                    " at=" + part, "use one or more of " + Arrays.stream(Fault.values()).map(Fault::label).toList())));
        }
        return chosen;
    }
}
