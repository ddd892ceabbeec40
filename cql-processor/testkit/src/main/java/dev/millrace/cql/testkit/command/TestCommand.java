package dev.millrace.cql.testkit.command;

import dev.millrace.cql.testkit.ConformanceRunner;
import dev.millrace.cql.testkit.CompiledCase;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace cql test}: runs case files. */
@Command(
    name = "test", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Runs case files on the engine and prints differences; the last line contains the number of " +
        "passed cases.",
    footer = {
        "",
        "Examples:",
        "  millrace cql test cases/",
        "  millrace cql test cases/rise.yaml cases/fall.yaml --json result.json",
        "",
        "Exit codes: 0 all passed, 1 some failed or no case was found, 64 wrong usage."})
final class TestCommand implements Callable<Integer>
{
    private final InputStream in;

    @Spec
    private CommandSpec spec;

    @Parameters(
        paramLabel = "PATH", arity = "1..*",
        description = "Case files, or directories whose .yaml and .yml files are cases.")
    private List<Path> paths;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results to a file.")
    private Path json;

    @Option(
        names = "--flows",
        description = "Run every statement as a flow, including those that a server would run as a pipeline.")
    private boolean flowsOnly;

    @Mixin
    private ClassPathOption classPath;

    TestCommand(final InputStream in)
    {
        this.in = in;
    }

    @Override
    public Integer call() throws IOException
    {
        classPath.use();
        final PrintWriter out = spec.commandLine().getOut();
        if (json != null)
        {
            // Before anything runs: results must not be lost in the end.
            Files.writeString(json, "", StandardCharsets.UTF_8);
        }
        final Progress progress = Progress.of(in, spec.commandLine().getErr());
        final ConformanceRunner runner =
            new ConformanceRunner(flowsOnly ? CompiledCase.Mode.FLOWS : CompiledCase.Mode.DEFAULT);
        final List<ConformanceRunner.Verdict> verdicts = new ArrayList<>();
        for (final Path file : files())
        {
            for (final ConformanceRunner.Verdict verdict : runner.runAll(List.of(file)))
            {
                verdicts.add(verdict);
                if (!verdict.passed())
                {
                    progress.clear();
                    out.println("FAIL " + file + " " + verdict.name());
                    verdict.failure().lines().forEach(line -> out.println("  " + line));
                    out.flush();
                }
            }
            progress.look(verdicts.size(), "cases run");
        }
        progress.clear();
        final long failed = verdicts.stream().filter(verdict -> !verdict.passed()).count();
        if (json != null)
        {
            Files.writeString(json, ConformanceRunner.json(verdicts, failed), StandardCharsets.UTF_8);
        }
        out.println(verdicts.size() - failed + " passed, " + failed + " failed");
        return failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private Set<Path> files() throws IOException
    {
        final Set<Path> files = new LinkedHashSet<>();
        for (final Path path : paths)
        {
            if (!Files.exists(path))
            {
                throw new ToolException("CMD-0311", "file or directory does not exist, path=" + path,
                    "specify the path of a case file or of a directory with case files");
            }
            if (!Files.isDirectory(path))
            {
                files.add(path);
                continue;
            }
            final int before = files.size();
            try (Stream<Path> below = Files.walk(path))
            {
                below.filter(file -> file.toString().matches(".*\\.ya?ml")).sorted().forEach(files::add);
            }
            if (files.size() == before)
            {
                throw new ToolException("CMD-0311", "there is no case file below the directory, path=" + path,
                    "case files end in .yaml or .yml");
            }
        }
        return files;
    }
}
