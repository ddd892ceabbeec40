package dev.millrace.command.bench;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.cli.OutputFile;
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

/** Checks whether resources of an instance grow under constant load. */
@Command(
    name = "soak", mixinStandardHelpOptions = true,
    description = {
        "Feeds one instance at 70 %% of its maximum input rate, and samples live heap, open handles and threads.",
        "From the first third of the samples to the last, the live heap must not grow by more than 1 %%, and handles" +
        " and threads not at all. Every row is checked. Returns 1 when something has grown."},
    footer = {
        "", "Examples:",
        "  millrace bench soak                                     two hours, one sample per minute",
        "  millrace bench soak --samples 10 --json soak.json",
        "  millrace bench soak --rate 100000 --sample-seconds 10   without the search for the peak"})
public final class SoakBenchCommand implements Callable<Integer>
{
    private static final double MIB = 1024 * 1024;

    @Spec
    private CommandSpec spec;

    @Option(names = "--samples", paramLabel = "N", defaultValue = "120",
        description = "Number of samples, 3 to 10000; default ${DEFAULT-VALUE}, which is two hours.")
    private int samples;

    @Option(names = "--sample-seconds", paramLabel = "S", defaultValue = "60",
        description = "Seconds of load between two samples, 1 to 3600; default ${DEFAULT-VALUE}.")
    private int sampleSeconds;

    @Option(names = "--load", paramLabel = "PERCENT", defaultValue = "70",
        description = "Percentage of the peak, which is first measured in three runs of 5 s; default ${DEFAULT-VALUE}.")
    private int loadPercent;

    @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "0",
        description = "Events per second instead of a percentage of the peak.")
    private long rate;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "4",
        description = "Connections, 1 to 64; default ${DEFAULT-VALUE}.")
    private int connections;

    @Option(names = "--ticks-per-packet", paramLabel = "N", defaultValue = "10",
        description = "Rows per packet, 1 to 1000; default ${DEFAULT-VALUE}.")
    private int ticksPerPacket;

    @Option(names = "--jdk", paramLabel = "DIR", description = "JDK of instance and generator.")
    private Path jdk;

    @Option(names = "--json", paramLabel = "FILE", description = "File for all samples.")
    private Path json;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        OptionRange.check("--samples", samples, 3, 10_000);
        OptionRange.check("--sample-seconds", sampleSeconds, 1, 3600);
        OptionRange.check("--load", loadPercent, 1, 100);
        OptionRange.check("--rate", rate, 0, 100_000_000);
        OptionRange.check("--connections", connections, 1, 64);
        OptionRange.check("--ticks-per-packet", ticksPerPacket, 1, 1000);
        OutputFile.check("--json", json);
        final PrintWriter out = spec.commandLine().getOut();
        final SoakResult result;
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr()))
        {
            result = SoakBench.run(Home.find(), new SoakSettings(rate, loadPercent, samples, sampleSeconds,
                connections, ticksPerPacket, jdk), cleanup, (number, sample) -> show(out, number, sample));
        }
        out.printf("  %,d events/s, no event lost, every signal and trend found%n%s", result.ratePerSec(),
            result.table());
        out.flush();
        if (json != null)
        {
            Files.writeString(json, result.json());
        }
        result.check();
        return ExitCode.DONE;
    }

    private void show(final PrintWriter out, final int number, final SoakSample sample)
    {
        out.printf("  %d/%d  %,d events  %.2f MiB live  %d handles  %d threads  %.0f MiB resident%n", number, samples,
            sample.events(), sample.liveHeapBytes() / MIB, sample.handles(), sample.threads(),
            sample.residentBytes() / MIB);
        out.flush();
    }
}
