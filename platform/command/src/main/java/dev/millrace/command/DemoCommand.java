package dev.millrace.command;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
import dev.millrace.command.demo.DemoResult;
import dev.millrace.command.demo.DemoRun;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.demo.Sample;
import dev.millrace.command.demo.SampleBroker;
import dev.millrace.command.demo.SampleInstance;
import dev.millrace.command.demo.SampleRun;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs Signal Generation end to end and verifies its output, or runs another sample. */
@Command(
    name = "demo",
    description = {
        "Starts a server instance in a temporary domain, deploys the Signal Generation sample, feeds it with the" +
        " load generator, and compares signals and trends with an independent computation over the same data.",
        "Returns 1 when they differ or an event was lost. Stops everything it has started.",
        "With NAME, runs another sample in the same way, and prints its results; with --list, lists the samples."},
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
        "",
        "Examples:",
        "  millrace demo",
        "  millrace demo --seconds 60 --connections 8 --rate 400000",
        "  millrace demo --workers 2 --ticks-per-packet 1 --json result.json",
        "  millrace demo --jdk /usr/lib/jvm/jdk-25",
        "  millrace demo foreign-exchange",
        "  millrace demo fraud-detection --bootstrap broker1:9092"})
public final class DemoCommand implements Callable<Integer>
{
    /** Options that apply to other samples than Signal Generation. */
    private static final Set<String> OF_SAMPLES = Set.of("--seconds", "--bootstrap", "--broker", "--jdk", "--keep");
    private static final int SAMPLE_SECONDS = 60;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "The sample; default: Signal Generation.")
    private String name;

    @Option(names = "--list", description = "Lists the samples.")
    private boolean list;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "15",
        description = "Seconds of load; default ${DEFAULT-VALUE}. With NAME: maximum duration; default 60.")
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

    @Option(names = "--bootstrap", paramLabel = "HOST:PORT", defaultValue = SampleBroker.DEFAULT_KAFKA,
        description = "Kafka brokers of the sample, separated by commas; default ${DEFAULT-VALUE}.")
    private String bootstrap;

    @Option(names = "--broker", paramLabel = "URL",
        description = "MQTT broker of the sample, such as tcp://broker:1883; default: one that the command starts.")
    private String broker;

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
        if (list)
        {
            return list(Sample.all(home));
        }
        if (name != null)
        {
            return run(home, Sample.find(home, name));
        }
        checkOptions(Set.of("--bootstrap", "--broker"), false, "it is an option of samples: specify one");
        return runSignalGeneration(home);
    }

    private int list(final List<Sample> samples)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final String format = "%-20s %s%n";
        out.printf(Locale.ROOT, format, "(without a name)", "Signal Generation: finds price signals and trends.");
        samples.forEach(sample -> out.printf(Locale.ROOT, format, sample.name(), sample.summary()));
        out.flush();
        return ExitCode.DONE;
    }

    private int run(final Home home, final Sample sample) throws IOException, InterruptedException
    {
        checkOptions(OF_SAMPLES, true, "it is an option of Signal Generation: run millrace demo without a name");
        final int limit = spec.commandLine().getParseResult().hasMatchedOption("--seconds") ? seconds : SAMPLE_SECONDS;
        final CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr());
        try (cleanup)
        {
            new SampleRun(home, sample, new SampleRun.Settings(limit, bootstrap, broker, jdk, keep),
                spec.commandLine().getOut(), cleanup).run();
            return ExitCode.DONE;
        }
        catch (final CommandException e)
        {
            cleanup.awaitEndIfInterrupted();
            throw e;
        }
    }

    /** Rejects an option of the command line that is not one of the names, or that is. */
    private void checkOptions(final Set<String> names, final boolean isPermitted, final String hint)
    {
        for (final OptionSpec option : spec.commandLine().getParseResult().matchedOptions())
        {
            if (names.contains(option.longestName()) != isPermitted)
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0296", "the option does not apply, option=" +
                    option.longestName() + " sample=" + (name == null ? "Signal Generation" : name), hint);
            }
        }
    }

    private int runSignalGeneration(final Home home) throws IOException, InterruptedException
    {
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
