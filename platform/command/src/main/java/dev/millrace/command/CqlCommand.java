package dev.millrace.command;

import dev.millrace.command.cli.ExternalTool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Delegates to the tools for rules, external tools that parse their own options. */
@Command(
    name = "cql",
    description = "Runs, explains and tests CQL statements without a server.",
    footer = {
        "",
        "Examples:",
        "  millrace cql run query.cql --stream 'S=ticks.csv:symbol char,price double'",
        "  millrace cql explain query.cql --stream 'S:symbol char,price double'",
        "  millrace cql test cases/",
        "  millrace cql --help     its commands"})
final class CqlCommand implements Callable<Integer>
{
    /** System property with the main class of the tools. */
    private static final String PROPERTY = "millrace.cql";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return ExternalTool.run(PROPERTY, arguments);
    }
}
