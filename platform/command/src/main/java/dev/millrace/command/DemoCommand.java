package dev.millrace.command;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.demo.DemoResult;
import dev.millrace.command.demo.DemoRun;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.demo.SampleInstance;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the sample application end to end and verifies its output. */
@Command(
    name = "demo",
    description = {
        "Starts a server instance in a temporary domain, deploys the Signal Generation sample, feeds it with the" +
        " load generator, and compares signals and trends with an independent computation over the same data.",
        "Returns 1 when they differ or an event was lost. Stops everything it has started."},
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
        "",
        "Examples:",
        "  millrace demo",
        "  millrace demo --seconds 60 --connections 8 --rate 400000",
        "  millrace demo --workers 2 --ticks-per-packet 1 --json result.json",
        "  millrace demo --jdk /usr/lib/jvm/jdk-25"})
public final class DemoCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "15",
        description = "Seconds of load; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "4",
        description = "Connections of the generator, 1 to 64; default ${DEFAULT-VALUE}.")
    private int connections;

    @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "200000",
        description = "Total events per second of all connections; 0 = as fast as possible; default ${DEFAULT-VALUE}.")
    private long rate;

    @Option(names = "--ticks-per-packet", paramLabel = "N", defaultValue = "10",
        description = "Rows per packet, 1 to 1000; default ${DEFAULT-VALUE}.")
    private int ticksPerPacket;

    @Option(names = "--ramp-up", paramLabel = "N", defaultValue = "3",
        description = "Seconds in which the rate rises from one tenth to the full rate; default ${DEFAULT-VALUE}.")
    private int rampUp;

    @Option(names = "--events", paramLabel = "N", defaultValue = "0",
        description = "Maximum number of events; ends the load before its time.")
    private long events;

    @Option(names = "--workers", paramLabel = "N", defaultValue = "0",
        description = "Threads of a partitioned rule, 1 to 64; default: that of the server.")
    private int workers;

    @Option(names = "--write-per-packet", description = "Use a separate write for each packet.")
    private boolean writePerPacket;

    @Option(names = "--jdk", paramLabel = "DIR",
        description = "JDK of instance and generator; default: the JDK of this command.")
    private Path jdk;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private Path json;

    @Option(names = "--keep", description = "Keep the domain directory with its logs.")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        OptionRange.check("--seconds", seconds, 1, 86_400);
        OptionRange.check("--connections", connections, 1, 64);
        OptionRange.check("--rate", rate, 0, 100_000_000);
        OptionRange.check("--ticks-per-packet", ticksPerPacket, 1, 1000);
        OptionRange.check("--ramp-up", rampUp, 0, 3600);
        OptionRange.check("--workers", workers, 0, 64);
        OptionRange.check("--events", events, 0, Long.MAX_VALUE);
        OutputFile.check("--json", json);
        final Home home = Home.find();
        final PrintWriter out = spec.commandLine().getOut();
        final CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr());
        try (cleanup)
        {
            out.println("Signal Generation: starting an instance and deploying");
            final SampleInstance instance = SampleInstance.start(home, workers, jdk, keep, cleanup);
            out.printf("  ready after %.1f s, feeding %d connections for %d s, %s, %d rows per packet%n",
                instance.readySeconds(), connections, seconds,
                rate == 0 ? "as fast as possible" : String.format("%,d events/s", rate), ticksPerPacket);
            final DemoResult result = new DemoRun(home, instance, out).run(
                new LoadProfile(connections, rate, ticksPerPacket, seconds, events, writePerPacket, rampUp, true), jdk,
                cleanup);
            return report(result, out);
        }
        catch (final CommandException e)
        {
            cleanup.awaitEndIfInterrupted();
            throw e;
        }
    }

    private int report(final DemoResult result, final PrintWriter out) throws IOException
    {
        if (json != null)
        {
            Files.writeString(json, result.json());
        }
        out.print(result.table());
        if (result.isRight())
        {
            out.println("All events were accepted, and every signal and trend was found.");
            return ExitCode.DONE;
        }
        out.flush();
        final PrintWriter err = spec.commandLine().getErr();
        err.println("CMD-0145: the figures are wrong, see the marked rows");
        err.println("    hint: internal error; run again with --keep and report it with the domain's logs");
        return ExitCode.FAILED;
    }
}
