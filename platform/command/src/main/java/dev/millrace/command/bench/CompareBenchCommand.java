package dev.millrace.command.bench;

import dev.millrace.command.cli.ExternalTool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Delegates to the comparison of benchmarks, an external tool that parses its own options. */
@Command(
    name = "compare",
    description = "Compares a run of the benchmarks of the engine with the recorded ratios.",
    footer = {
        "",
        "Examples:",
        "  millrace bench engine --json new.json && millrace bench compare new.json",
        "  millrace bench compare --help    its own options"})
final class CompareBenchCommand implements Callable<Integer>
{
    /** System property with the main class; set by the script that knows the libraries. */
    private static final String PROPERTY = "millrace.bench.compare";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return ExternalTool.run(PROPERTY, arguments);
    }
}
