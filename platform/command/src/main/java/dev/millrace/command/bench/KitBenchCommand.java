package dev.millrace.command.bench;

import dev.millrace.command.cli.ExternalTool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Delegates to the benchmark kit, an external tool that parses its own options. */
@Command(
    name = "kit",
    description = "Measures a server with 1,000 statements that clients feed over TCP: throughput, and latency"
        + " histograms.",
    footer = {
        "",
        "Examples:",
        "  millrace bench kit -mode VWAP-ROWS -rate 2x100000",
        "  millrace bench kit --help         its options, separate server and client"})
final class KitBenchCommand implements Callable<Integer>
{
    /** System property with the main class; set by the script that knows the libraries. */
    private static final String PROPERTY = "millrace.bench.kit";

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call()
    {
        return ExternalTool.run(PROPERTY, arguments);
    }
}
