package dev.millrace.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Builds the product from its sources and runs every test; the script at the root of the sources does it directly. */
@Command(
    name = "test",
    description = {
        "Builds everything and runs every test (in a source tree only).",
        "A failed test does not stop the run: all failures are listed at its end, with the seeds of random tests."},
    mixinStandardHelpOptions = true,
    footer = {"", "Examples:", "  millrace test", "  millrace test -pl platform/network -am"})
final class TestCommand implements Callable<Integer>
{
    @Parameters(paramLabel = "ARG", description = "Passed on to mvn verify.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final Path root = Path.of(System.getProperty("millrace.sources", "")).toAbsolutePath();
        if (!Files.isRegularFile(root.resolve("pom.xml")))
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0102", "not a source tree, directory=" + root,
                "call the script millrace at the root of the sources");
        }
        final List<String> command = new ArrayList<>(List.of(root.resolve("build/test.sh").toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command).directory(root.toFile()).inheritIO().start().waitFor();
    }
}
