package dev.millrace.command.bench;

import dev.millrace.command.cli.ExternalTool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Delegates to the benchmarks of the engine, an external tool that parses its own options. */
@Command(
    name = "engine",
    description = "Runs the benchmarks of the engine in this process and compares them with hand-written baselines.",
    footer = {
        "",
        "Examples:",
        "  millrace bench engine --workload pair",
        "  millrace bench engine --help     its options"})
final class EngineBenchCommand implements Callable<Integer>
{
    /** System property with the main class; set by the script that knows the libraries. */
    private static final String PROPERTY = "millrace.bench.engine";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return ExternalTool.run(PROPERTY, arguments);
    }
}
