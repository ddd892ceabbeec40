package dev.millrace.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Hands over to the benchmarks of the engine, which this module does not know; they read their own options. */
@Command(
    name = "engine",
    description = "Runs the benchmarks of the engine in this process, beside hand-written loops.",
    footer = {
        "",
        "Examples:",
        "  millrace bench engine --workload pair",
        "  millrace bench engine --help     its own options"})
final class EngineBenchCommand implements Callable<Integer>
{
    /** System property with the main class; the script that knows the libraries sets it. */
    private static final String PROPERTY = "millrace.bench.engine";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return OtherTool.run(PROPERTY, arguments);
    }
}
