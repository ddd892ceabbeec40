package dev.millrace.command.bench;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.scaling.fleet.ScalingSettings.Step;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The white paper's study of many instances. */
@Command(
    name = "scaling", mixinStandardHelpOptions = true,
    description = {
        "Measures many instances of one cluster, each fed by its own generator over an increasing number of"
            + " connections.",
        "One row per number of connections: the table of the white paper, with processor time, memory and a" +
        " probe. Every row is checked: no event may be lost, and the output must equal that of an independent" +
        " computation."},
    footer = {
        "", "Examples:",
        "  millrace bench scaling                                        ten instances, 1 to 8 connections",
        "  millrace bench scaling --instances 2 --connections 1-2 --seconds 5 --warmup 2",
        "  millrace bench scaling --rate 20000 --json scaling.json --html scaling.html"})
final class ScalingBenchCommand implements Callable<Integer>
{
    private static final int TICKS_PER_PACKET = 10;

    @Mixin
    private StudyOptions study;

    @Option(names = "--instances", paramLabel = "N", defaultValue = "10",
        description = "Server instances, 1 to 100; default ${DEFAULT-VALUE}.")
    private int instances;

    @Option(names = "--rate", paramLabel = "EVENTS", defaultValue = "50000",
        description = "Events per second on each connection; default ${DEFAULT-VALUE}.")
    private long rate;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        OptionRange.check("--instances", instances, 1, 100);
        OptionRange.check("--rate", rate, 1, 10_000_000);
        final List<Step> steps = study.connections().stream().map(each -> new Step(each, each * rate)).toList();
        study.run(study.settings(instances, steps, TICKS_PER_PACKET));
        return ExitCode.DONE;
    }
}
