package dev.millrace.command.bench;

import dev.millrace.command.cli.ExternalTool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Delegates to the benchmark of rules, an external tool that parses its own options. */
@Command(
    name = "rules",
    description = "Measures the cost of deploying many queries, planning and compiling one, and replacing one.",
    footer = {
        "",
        "Examples:",
        "  millrace bench rules --queries 100",
        "  millrace bench rules --help      its options"})
final class RulesBenchCommand implements Callable<Integer>
{
    /** System property with the main class; set by the script that knows the libraries. */
    private static final String PROPERTY = "millrace.bench.rules";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return ExternalTool.run(PROPERTY, arguments);
    }
}
