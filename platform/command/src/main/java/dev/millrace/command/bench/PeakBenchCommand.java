package dev.millrace.command.bench;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.scaling.fleet.ScalingSettings.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The white paper's search for the maximum input rate of one instance. */
@Command(
    name = "peak", mixinStandardHelpOptions = true,
    description = {
        "Finds the maximum input rate of one instance, with one event per packet.",
        "Each rate is measured with each number of connections; every row is checked like those of bench" +
        " scaling."},
    footer = {
        "", "Examples:",
        "  millrace bench peak                                           the white paper's range and beyond",
        "  millrace bench peak --connections 4 --rates 100000,200000 --seconds 5"})
final class PeakBenchCommand implements Callable<Integer>
{
    private static final int TICKS_PER_PACKET = 1;

    @Mixin
    private StudyOptions study;

    @Option(names = "--rates", paramLabel = "LIST",
        defaultValue = "70000,140000,210000,280000,350000,500000,700000,1000000",
        description = "Total events per second of all connections; default ${DEFAULT-VALUE}.")
    private String rates;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final List<Step> steps = new ArrayList<>();
        for (final int connection : study.connections())
        {
            for (final long rate : StudyOptions.numbers("--rates", rates, 1, 100_000_000))
            {
                steps.add(new Step(connection, rate));
            }
        }
        study.showPeak(study.run(study.settings(1, steps, TICKS_PER_PACKET)));
        return ExitCode.DONE;
    }
}
