package dev.millrace.command;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Builds the product from its sources and runs every test; the script at the root of the sources does the same
 * directly.
 */
@Command(
    name = "test",
    description = {
        "Builds everything and runs every test (in a source tree only).",
        "A failed test does not stop the run: all failures are listed at its end, with the seeds of random tests."},
    mixinStandardHelpOptions = true,
    footer = {
        "", "Examples:", "  millrace test", "  millrace test --fast", "  millrace test -pl platform/network -am",
        "  millrace test --random --minutes 30       tests with random data, with new seeds"})
final class TestCommand implements Callable<Integer>
{
    @Option(names = "--random",
        description = "Repeats the tests with random data, each round with another seed.")
    private boolean isRandom;

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "10",
        description = "Minutes of --random; default ${DEFAULT-VALUE}.")
    private int minutes;

    @Option(names = "--fast",
        description = "Skips integration tests and test classes tagged as slow; takes some minutes.")
    private boolean isFast;

    @Parameters(paramLabel = "ARG", description = "Passed to mvn verify.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final Path root = Path.of(System.getProperty("millrace.sources", "")).toAbsolutePath();
        if (!Files.isRegularFile(root.resolve("pom.xml")))
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0102", "not a source tree, directory=" + root,
                "run the script millrace at the root of the sources");
        }
        final List<String> command = new ArrayList<>();
        if (isRandom)
        {
            OptionRange.check("--minutes", minutes, 1, 99_999);
            command.addAll(List.of(
                root.resolve("build/random-tests.sh").toString(), "--minutes", String.valueOf(minutes)));
        }
        else
        {
            command.add(root.resolve("build/test.sh").toString());
            if (isFast)
            {
                command.add("--fast");
            }
            command.addAll(arguments);
        }
        return new ProcessBuilder(command).directory(root.toFile()).inheritIO().start().waitFor();
    }
}
