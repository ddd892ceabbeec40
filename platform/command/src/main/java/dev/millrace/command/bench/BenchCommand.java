package dev.millrace.command.bench;

import com.google.gson.GsonBuilder;
import dev.millrace.command.application.AppCommand;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.JvmOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Benchmarks of the engine and of rules in process, of the loopback interface, and of whole instances. */
@Command(
    name = "bench",
    description = "Measures the engine and the planning of rules in process, instances, clusters, and the" +
        " loopback interface.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    subcommands = {
        EngineBenchCommand.class, CompareBenchCommand.class, RulesBenchCommand.class, KitBenchCommand.class,
        ScalingBenchCommand.class, PeakBenchCommand.class, FaultsBenchCommand.class,
        SimulateBenchCommand.class, SoakBenchCommand.class, RecoveryBenchCommand.class},
    footer = {
        "",
        "Examples:",
        "  millrace bench engine --workload wire --json engine.json",
        "  millrace bench compare engine.json             with the recorded ratios",
        "  millrace bench rules                           cost of queries before their first row",
        "  millrace bench kit                             1,000 statements, clients over TCP",
        "  millrace bench instance --ticks-per-packet 1 --repetitions 5",
        "  millrace bench scaling                         many instances, by number of connections",
        "  millrace bench peak                            maximum input rate of one instance",
        "  millrace bench faults                          effect of killed instances on the others",
        "  millrace bench simulate                        a cluster larger than this machine",
        "  millrace bench soak --samples 10               resource growth of an instance under constant load",
        "  millrace bench recovery --kills 100            a durable application that is killed",
        "  millrace bench start                           start time of an instance and its first application",
        "  millrace bench instance --write-per-packet     with the loopback baseline in the same run"})
public final class BenchCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    /** Options of the two network benchmarks. */
    static final class Shape
    {
        @Option(names = "--connections", paramLabel = "N", defaultValue = "4",
            description = "Connections, 1 to 64; default ${DEFAULT-VALUE}.")
        private int connections;

        @Option(names = "--ticks-per-packet", paramLabel = "N", defaultValue = "10",
            description = "Rows per packet, 1 to 1000; default ${DEFAULT-VALUE}.")
        private int ticksPerPacket;

        @Option(names = "--seconds", paramLabel = "N", defaultValue = "5",
            description = "Seconds per repetition; default ${DEFAULT-VALUE}.")
        private int seconds;

        @Option(names = "--repetitions", paramLabel = "N", defaultValue = "5",
            description = "Number of repetitions, after a warm-up run; default ${DEFAULT-VALUE}.")
        private int repetitions;

        @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
        private Path json;

        private void check()
        {
            OptionRange.check("--connections", connections, 1, 64);
            OptionRange.check("--ticks-per-packet", ticksPerPacket, 1, 1000);
            OptionRange.check("--seconds", seconds, 1, 86_400);
            OptionRange.check("--repetitions", repetitions, 1, 1000);
            OutputFile.check("--json", json);
        }
    }

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
        name = "loopback", mixinStandardHelpOptions = true,
        description = "Measures the loopback baseline: only a sender and a receiver, one write per packet.",
        footer = {"", "Example:", "  millrace bench loopback --ticks-per-packet 1"})
    int loopback(@Mixin final Shape shape) throws IOException, InterruptedException
    {
        shape.check();
        final PrintWriter out = spec.commandLine().getOut();
        final Map<String, Object> result = LoopbackBench.run(
            shape.connections, shape.ticksPerPacket, shape.seconds, shape.repetitions, out);
        out.printf("  median %,.0f packets/s  %,.0f events/s%n",
            (double)result.get("medianPacketsPerSec"), (double)result.get("medianEventsPerSec"));
        return write(shape.json, result);
    }

    @Command(
        name = "instance", mixinStandardHelpOptions = true,
        description = {
            "Measures the input rate of one instance, fed by the load generator on the same machine.",
            "Every repetition is compared with an independent computation; a difference fails the benchmark."},
        footer = {
            "", "Examples:", "  millrace bench instance",
            "  millrace bench instance --ticks-per-packet 1 --write-per-packet --json instance.json",
            "  millrace bench instance --durable              rate and latency with a journal, and without"})
    int instance(
        @Mixin final Shape shape,
        @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "0",
            description = "Total events per second of all connections; default 0 = as fast as possible.")
        final long rate,
        @Option(names = "--workers", paramLabel = "N", defaultValue = "0",
            description = "Threads of a partitioned rule; default: that of the server.")
        final int workers,
        @Option(names = "--write-per-packet",
            description = "One write per packet, and the loopback baseline in the same run.")
        final boolean writePerPacket,
        @Option(names = "--durable",
            description = "Measures the durable sample, too: its processor appends all rows to a journal.")
        final boolean durable,
        @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of instance and generator.") final Path jdk)
        throws IOException, InterruptedException
    {
        shape.check();
        OptionRange.check("--rate", rate, 0, 100_000_000);
        OptionRange.check("--workers", workers, 0, 64);
        final CommandLine commandLine = spec.commandLine();
        final PrintWriter out = commandLine.getOut();
        final LoadProfile feed = new LoadProfile(shape.connections, rate, shape.ticksPerPacket, shape.seconds, 0,
            writePerPacket, 0, true);
        final Map<String, Object> result = InstanceBench.run(
            Home.find(), feed, durable, workers, jdk, shape.repetitions, out, commandLine.getErr());
        out.printf("  median %,.0f events/s accepted, no event lost, every signal and trend found%n",
            (double)result.get("medianAcceptedPerSec"));
        if (writePerPacket)
        {
            out.printf("  median %.0f %% of the loopback baseline%n",
                100 * (double)result.get("medianShareOfLoopback"));
        }
        if (durable)
        {
            out.print(InstanceBench.durableTable(result));
            out.flush();
        }
        return write(shape.json, result);
    }

    @Command(
        name = "start", mixinStandardHelpOptions = true,
        description = {
            "Measures how long a new instance takes to get ready and to run its first application: deployed after the" +
                " class warm-up, immediately, and with the warm-up disabled.",
            "Instances run in temporary directories on free ports; all files are deleted."},
        footer = {"", "Examples:", "  millrace bench start", "  millrace bench start --boots 11 --json start.json",
            "  millrace bench start --jvm-options -Xshare:off      without class data sharing"})
    int start(
        @Option(names = "--boots", paramLabel = "N", defaultValue = "5",
            description = "Boots of each kind, 1 to 100; default ${DEFAULT-VALUE}.")
        final int boots,
        @Option(names = "--application", paramLabel = "FILE",
            description = "Bundle to deploy; default: the sample application.")
        final Path application,
        @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of the instances.") final Path jdk,
        @Option(names = "--jvm-options", paramLabel = "OPTIONS", defaultValue = "",
            description = "Additional JVM options of the instances, separated by blanks; a garbage collector replaces"
                + " theirs.")
        final String jvmOptions,
        @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.") final Path json)
        throws IOException, InterruptedException
    {
        OptionRange.check("--boots", boots, 1, 100);
        OutputFile.check("--json", json);
        final Home home = Home.find();
        final Path bundle = AppCommand.readable(application == null ? home.signalGeneration() : application);
        final CommandLine commandLine = spec.commandLine();
        final PrintWriter out = commandLine.getOut();
        final Map<String, Object> result = StartBench.run(
            new StartSettings(home, bundle, jdk, new JvmOptions(jvmOptions)), boots, out, commandLine.getErr());
        out.print(StartBench.table(result));
        out.flush();
        return write(json, result);
    }

    private static int write(final Path json, final Map<String, Object> result) throws IOException
    {
        if (json != null)
        {
            Files.writeString(json, new GsonBuilder().setPrettyPrinting()
                .serializeSpecialFloatingPointValues().create().toJson(result) + "\n");
        }
        return ExitCode.DONE;
    }
}
