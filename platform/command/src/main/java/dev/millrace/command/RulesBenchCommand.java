package dev.millrace.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Hands over to the benchmark of rules, which this module does not know; it reads its own options. */
@Command(
    name = "rules",
    description = "Measures what it costs to deploy many queries, to plan and compile one, and to replace one.",
    footer = {
        "",
        "Examples:",
        "  millrace bench rules --queries 100",
        "  millrace bench rules --help      its own options"})
final class RulesBenchCommand implements Callable<Integer>
{
    /** System property with the main class; the script that knows the libraries sets it. */
    private static final String PROPERTY = "millrace.bench.rules";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return OtherTool.run(PROPERTY, arguments);
    }
}
