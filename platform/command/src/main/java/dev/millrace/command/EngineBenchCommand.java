package dev.millrace.command;

import java.lang.reflect.InvocationTargetException;
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
        final String mainClass = System.getProperty(PROPERTY, "");
        try
        {
            Class.forName(mainClass).getMethod("main", String[].class)
                .invoke(null, (Object)arguments.toArray(new String[0]));
            return ExitCode.DONE;
        }
        catch (final InvocationTargetException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0160", "benchmark failed, reason=" + e.getCause(), "see its options with --help");
        }
        catch (final ReflectiveOperationException e)
        {
            throw new CommandException(
                ExitCode.FAILED, "CMD-0161",
                "benchmarks are not on the class path, " + PROPERTY + "=" + mainClass,
                "use bin/millrace, which sets it; they are in lib/tuning of the home directory");
        }
    }
}
