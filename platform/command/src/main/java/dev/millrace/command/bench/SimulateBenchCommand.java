package dev.millrace.command.bench;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.simulation.Simulation;
import dev.millrace.command.simulation.SimulationJson;
import dev.millrace.command.simulation.SimulationResult;
import dev.millrace.command.simulation.SimulationSettings;
import dev.millrace.command.simulation.SimulationTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Simulates a cluster larger than this machine. */
@Command(
    name = "simulate", mixinStandardHelpOptions = true,
    description = {
        "Simulates partitioned processing over more members than this machine can run.",
        "Shows the distribution of keys across partitions and of partitions across members, the size of batches" +
        " between members, the cost of a killed member and of the cluster itself, the first bottleneck and its remedy.",
        "More about it: tuning/SCALE.md."},
    footer = {
        "", "Examples:",
        "  millrace bench simulate                                       10, 100, 1,000 and 10,000 members",
        "  millrace bench simulate --members 100 --skew 0 --rate 400000",
        "  millrace bench simulate --members 10000 --partitions 65536 --group 100",
        "  millrace bench simulate --members 10 --loss-at 2 --seconds 4 --seed 7 --json simulation.json",
        "  millrace bench simulate --constants                           the constants of the model"})
final class SimulateBenchCommand implements Callable<Integer>
{
    private static final double MAX_SKEW = 3;
    private static final double MAX_CORES = 1024;
    private static final long MAX_PLACES = 2_000_000_000;
    private static final long MAX_MEMBER_SECONDS = 2_000_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--members", paramLabel = "LIST", defaultValue = "10,100,1000,10000",
        description = "Numbers of members, one row each: 2 to 20000; default ${DEFAULT-VALUE}.")
    private String members;

    @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "50000",
        description = "Events per second of the source of each member; default ${DEFAULT-VALUE}.")
    private long rate;

    @Option(names = "--ticks-per-packet", paramLabel = "N", defaultValue = "10",
        description = "Events per packet of a source, 1 to 1000; default ${DEFAULT-VALUE}.")
    private int ticksPerPacket;

    @Option(names = "--keys", paramLabel = "N", defaultValue = "1000000",
        description = "Number of values of the partition expression, 1 to 100000000; default ${DEFAULT-VALUE}.")
    private int keys;

    @Option(names = "--skew", paramLabel = "S", defaultValue = "1",
        description = "The k-th key is 1/k^S as frequent as the first; 0 (uniform) to 3; default ${DEFAULT-VALUE}.")
    private double skew;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "1024",
        description = "Number of partitions, 1 to 1000000; default ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--flush-us", paramLabel = "US", defaultValue = "1000",
        description = "Microseconds for which events for another member are batched; default ${DEFAULT-VALUE}.")
    private int flushUs;

    @Option(names = "--cores", paramLabel = "N", defaultValue = "1",
        description = "Processors per member, 0.01 to 1024; default ${DEFAULT-VALUE}.")
    private double cores;

    @Option(names = "--updates", paramLabel = "N", defaultValue = "1000",
        description = "Changes per second of replicated caches; default ${DEFAULT-VALUE}.")
    private long updates;

    @Option(names = "--group", paramLabel = "N", defaultValue = "0",
        description = "Clusters of N members each, with partitions assigned to them upstream; default: one cluster.")
    private int group;

    @Option(names = "--loss-at", paramLabel = "S", defaultValue = "3",
        description = "Time in seconds at which a member is killed; default ${DEFAULT-VALUE}.")
    private double lossAt;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "10",
        description = "Simulated seconds, 1 to 3600; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of all random values; the same seed gives the same figures; default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private Path json;

    @Option(names = "--constants", description = "Print the constants of the model without simulation.")
    private boolean showConstants;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        if (showConstants)
        {
            SimulationTable.constants().forEach(out::println);
            out.flush();
            return ExitCode.DONE;
        }
        check();
        OutputFile.check("--json", json);
        final List<Integer> counts =
            StudyOptions.numbers("--members", members, 2, 20_000).stream().map(Long::intValue).toList();
        counts.forEach(this::checkSize);
        final SimulationResult result = Simulation.run(new SimulationSettings(rate, ticksPerPacket, keys, skew,
            partitions, flushUs, cores, updates, group, lossAt, seconds, seed), counts);
        SimulationTable.lines(result).forEach(out::println);
        out.flush();
        if (json != null)
        {
            Files.writeString(json, SimulationJson.of(result));
        }
        return ExitCode.DONE;
    }

    private void check()
    {
        OptionRange.check("--rate", rate, 1, 100_000_000);
        OptionRange.check("--ticks-per-packet", ticksPerPacket, 1, 1000);
        OptionRange.check("--keys", keys, 1, 100_000_000);
        check("--skew", skew, 0, MAX_SKEW);
        OptionRange.check("--partitions", partitions, 1, 1_000_000);
        OptionRange.check("--flush-us", flushUs, 1, 10_000_000);
        check("--cores", cores, 0.01, MAX_CORES);
        OptionRange.check("--updates", updates, 0, 100_000_000);
        OptionRange.check("--seconds", seconds, 1, 3_600);
        check("--loss-at", lossAt, 0, seconds);
        if (group != 0)
        {
            OptionRange.check("--group", group, 2, 20_000);
        }
    }

    private void checkSize(final int count)
    {
        if (group == 0 && (long)partitions * count > MAX_PLACES || (long)seconds * count > MAX_MEMBER_SECONDS)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0167", "simulation is too large, members=" + count +
                " partitions=" + partitions + " seconds=" + seconds, "partitions times members may be " + MAX_PLACES +
                " in one cluster, seconds times members " + MAX_MEMBER_SECONDS);
        }
    }

    private static void check(final String name, final double value, final double min, final double max)
    {
        if (!(value >= min && value <= max))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0190", "option is out of range, " + name + "=" + value,
                "specify a number from " + min + " to " + max);
        }
    }
}
