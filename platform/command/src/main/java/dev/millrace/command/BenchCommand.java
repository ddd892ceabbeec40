package dev.millrace.command;

import com.google.gson.GsonBuilder;
import dev.millrace.command.bench.BootSettings;
import dev.millrace.command.bench.InstanceBench;
import dev.millrace.command.bench.LoopbackBench;
import dev.millrace.command.bench.StartBench;
import dev.millrace.command.demo.Feed;
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

/** Measures: the engine and rules in process, the loopback interface, and a whole instance. */
@Command(
    name = "bench",
    description = "Measures the engine and the planning of rules in process, instances, clusters of them, and the" +
        " loopback interface.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    subcommands = {
        EngineBenchCommand.class, CompareBenchCommand.class, RulesBenchCommand.class, KitBenchCommand.class,
        ScalingBenchCommand.class, PeakBenchCommand.class, FaultsBenchCommand.class,
        SimulateBenchCommand.class, SoakBenchCommand.class},
    footer = {
        "",
        "Examples:",
        "  millrace bench engine --workload wire --json engine.json",
        "  millrace bench compare engine.json             with the ratios that were reached before",
        "  millrace bench rules                           what queries cost before their first row",
        "  millrace bench kit                             1,000 statements, clients over TCP",
        "  millrace bench instance --ticks-per-packet 1 --repetitions 5",
        "  millrace bench scaling                         many instances, more connections row by row",
        "  millrace bench peak                            what one instance takes in at most",
        "  millrace bench faults                          instances are killed; the others must not notice",
        "  millrace bench simulate                        a cluster larger than this machine",
        "  millrace bench soak --samples 10               whether an instance grows under a constant load",
        "  millrace bench start                           how soon an instance and its first application run",
        "  millrace bench instance --write-per-packet     with a bare pair over loopback in the same run"})
final class BenchCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    /** What the two network benchmarks share. */
    static final class Shape
    {
        @Option(names = "--connections", paramLabel = "N", defaultValue = "4",
            description = "Connections, 1 to 64; default ${DEFAULT-VALUE}.")
        private int connections;

        @Option(names = "--ticks-per-packet", paramLabel = "N", defaultValue = "10",
            description = "Rows a packet, 1 to 1000; default ${DEFAULT-VALUE}.")
        private int ticksPerPacket;

        @Option(names = "--seconds", paramLabel = "N", defaultValue = "5",
            description = "Length of a repetition; default ${DEFAULT-VALUE}.")
        private int seconds;

        @Option(names = "--repetitions", paramLabel = "N", defaultValue = "5",
            description = "How often, after a run that warms up; default ${DEFAULT-VALUE}.")
        private int repetitions;

        @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to a file.")
        private Path json;

        private void check()
        {
            DemoCommand.check("--connections", connections, 1, 64);
            DemoCommand.check("--ticks-per-packet", ticksPerPacket, 1, 1000);
            DemoCommand.check("--seconds", seconds, 1, 86_400);
            DemoCommand.check("--repetitions", repetitions, 1, 1000);
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
        description = "Measures a bare pair of sender and receiver over loopback, one write a packet: the limit.",
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
            "Measures what one instance takes in, fed by the load generator on the same machine.",
            "Every repetition is checked against the independent computation; a wrong one fails the benchmark."},
        footer = {
            "", "Examples:", "  millrace bench instance",
            "  millrace bench instance --ticks-per-packet 1 --write-per-packet --json instance.json"})
    int instance(
        @Mixin final Shape shape,
        @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "0",
            description = "Events a second over all connections; default 0 = as fast as possible.")
        final long rate,
        @Option(names = "--workers", paramLabel = "N", defaultValue = "0",
            description = "Threads that share the rules; default: what the server chooses.")
        final int workers,
        @Option(names = "--write-per-packet",
            description = "One write a packet, and a bare pair over loopback in the same run.")
        final boolean writePerPacket,
        @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of instance and generator.") final Path jdk)
        throws IOException, InterruptedException
    {
        shape.check();
        DemoCommand.check("--rate", rate, 0, 100_000_000);
        DemoCommand.check("--workers", workers, 0, 64);
        final CommandLine commandLine = spec.commandLine();
        final PrintWriter out = commandLine.getOut();
        final Map<String, Object> result = InstanceBench.run(
            Home.find(), new Feed(shape.connections, rate, shape.ticksPerPacket, shape.seconds, 0, writePerPacket, 0,
                true),
            workers, jdk, shape.repetitions, out, commandLine.getErr());
        out.printf("  median %,.0f events/s accepted, nothing lost, every signal and trend found%n",
            (double)result.get("medianAcceptedPerSec"));
        if (writePerPacket)
        {
            out.printf("  median %.0f %% of what a bare pair of sender and receiver reaches%n",
                100 * (double)result.get("medianShareOfLoopback"));
        }
        return write(shape.json, result);
    }

    @Command(
        name = "start", mixinStandardHelpOptions = true,
        description = {
            "Measures how soon a fresh instance is ready and how soon its first application runs: deployed when the " +
            "class warm-up is done, at once, and with the warm-up switched off.",
            "Instances are started in directories of their own on free ports and leave nothing."},
        footer = {"", "Examples:", "  millrace bench start", "  millrace bench start --boots 11 --json start.json",
            "  millrace bench start --jvm-options -Xshare:off      without archives of classes"})
    int start(
        @Option(names = "--boots", paramLabel = "N", defaultValue = "5",
            description = "Boots of each kind, 1 to 100; default ${DEFAULT-VALUE}.")
        final int boots,
        @Option(names = "--application", paramLabel = "FILE",
            description = "Bundle to deploy; default: the sample application.")
        final Path application,
        @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of the instances.") final Path jdk,
        @Option(names = "--jvm-options", paramLabel = "OPTIONS", defaultValue = "",
            description = "Added to those of the instances, blanks between; a collector takes the place of theirs.")
        final String jvmOptions,
        @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to a file.") final Path json)
        throws IOException, InterruptedException
    {
        DemoCommand.check("--boots", boots, 1, 100);
        OutputFile.check("--json", json);
        final Home home = Home.find();
        final Path bundle = AppCommand.readable(application == null ? home.signalGeneration() : application);
        final CommandLine commandLine = spec.commandLine();
        final PrintWriter out = commandLine.getOut();
        final Map<String, Object> result = StartBench.run(
            new BootSettings(home, bundle, jdk, new JvmOptions(jvmOptions)), boots, out, commandLine.getErr());
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
