package dev.millrace.cql.testkit;

import com.google.gson.JsonObject;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs case files on the engine and reports which pass. Last line: {@code N passed, M failed}.
 *
 * <p>Not thread-safe.
 */
public final class ConformanceRunner
{
    private static final String NOT_AVAILABLE = "CQL-7001";

    private final CompiledCase.Variant variant;
    private final boolean restarts;
    private final Set<String> unwritten = new TreeSet<>();

    /**
     * @param mode how statements are planned
     */
    public ConformanceRunner(final CompiledCase.Mode mode)
    {
        this(new CompiledCase.Variant(mode, false, false), false);
    }

    /**
     * @param variant  how statements are planned
     * @param restarts whether new engines restore the state of the last ones before each arrival
     */
    ConformanceRunner(final CompiledCase.Variant variant, final boolean restarts)
    {
        this.variant = variant;
        this.restarts = restarts;
    }

    /** Reasons why the state of engines could not be written. */
    Set<String> unwritten()
    {
        return unwritten;
    }

    /**
     * The result of a case.
     *
     * @param path    file
     * @param name    name of the case
     * @param failure null when it passed, otherwise the difference
     */
    public record Verdict(Path path, String name, String failure)
    {
        public boolean passed()
        {
            return failure == null;
        }
    }

    /**
     * Runs the cases of a file.
     *
     * @return a verdict per case; a file that cannot be read fails as a whole
     */
    public List<Verdict> run(final Path path)
    {
        try
        {
            return CaseFile.readAll(path).stream().map(file -> new Verdict(path, file.name(), failure(file))).toList();
        }
        catch (final IOException unreadable)
        {
            return List.of(new Verdict(path, path.getFileName().toString(), unreadable.getMessage()));
        }
    }

    /**
     * Runs one case.
     *
     * @return null when it passed, otherwise the difference
     */
    public String failure(final CaseFile file)
    {
        final boolean atRunTime = file.feature().equals("error-runtime");
        final EngineRunner runner;
        try
        {
            runner = new EngineRunner(file, variant);
        }
        catch (final CqlException refused)
        {
            return refusal(file, refused);
        }
        catch (final RuntimeException bug)
        {
            return "planning or compiling failed: " + bug;
        }
        if (file.expectError() != null && !atRunTime)
        {
            return "not refused, although: " + file.expectError();
        }
        try
        {
            final Reference.Outcome outcome = restarts ? runner.run(file.arrivals(), 1,
                IntStream.range(0, file.arrivals().size()).boxed().collect(Collectors.toSet()), false) :
                runner.run(file.arrivals());
            unwritten.addAll(runner.unwritten());
            if (atRunTime)
            {
                return outcome.rejected() > 0 ? null : "no row rejected, although: " + file.expectError();
            }
            return difference(file, runner, outcome);
        }
        catch (final RuntimeException bug)
        {
            final StackTraceElement[] trace = bug.getStackTrace();
            return "run failed: " + bug + (trace.length > 0 ? " at " + trace[0] : "");
        }
    }

    private static String refusal(final CaseFile file, final CqlException refused)
    {
        final boolean missing =
            refused.problems().stream().map(CqlProblem::code).anyMatch(NOT_AVAILABLE::equals);
        return file.expectError() != null && !missing ? null : "refused: " + refused.getMessage();
    }

    private static String difference(
        final CaseFile file, final EngineRunner runner, final Reference.Outcome outcome)
    {
        final StringBuilder text = new StringBuilder();
        final Map<String, Boolean> streams = runner.streams();
        final Reference reference = reference(file);
        for (final Map.Entry<String, List<CaseRow>> entry : file.expected().entrySet())
        {
            final String query = entry.getKey();
            final List<CaseRow> got = outcome.rows().get(query);
            String difference = null;
            if (got == null)
            {
                difference = "  no such query\n";
            }
            else if (reference != null && reference.isStream(query) != streams.get(query))
            {
                difference = "  it is a " + (streams.get(query) ? "stream" : "relation") + ", not a "
                    + (streams.get(query) ? "relation" : "stream") + "\n";
            }
            else
            {
                final List<Type> types = runner.types(query);
                difference = Comparison.difference(got,
                    entry.getValue().stream().map(row -> row.typed(types)).toList(), streams.get(query),
                    file.ordered());
            }
            if (difference != null)
            {
                text.append("query ").append(query).append(":\n").append(difference);
            }
        }
        return text.length() == 0 ? null : text.toString();
    }

    /** Determines which queries are streams; null when the case uses features that the interpreter does not support. */
    private static Reference reference(final CaseFile file)
    {
        try
        {
            return new Reference(file);
        }
        catch (final InvalidStatementException unknown)
        {
            return null;
        }
    }

    /**
     * Runs files, and all {@code .yaml} files below directories.
     *
     * @param paths files and directories
     * @return verdicts in order of the paths
     * @throws IOException when a directory cannot be read
     */
    public List<Verdict> runAll(final List<Path> paths) throws IOException
    {
        final List<Verdict> verdicts = new ArrayList<>();
        for (final Path path : paths)
        {
            if (!Files.isDirectory(path))
            {
                verdicts.addAll(run(path));
                continue;
            }
            try (Stream<Path> files = Files.walk(path))
            {
                files.filter(file -> file.toString().endsWith(".yaml")).sorted().forEach(file ->
                    verdicts.addAll(run(file)));
            }
        }
        return verdicts;
    }

    /**
     * Verdicts as JSON.
     *
     * @param failed number of failed cases
     */
    public static String json(final List<Verdict> verdicts, final long failed)
    {
        return verdicts.stream().map(ConformanceRunner::json).collect(Collectors.joining(
            ",", "{\"passed\":" + (verdicts.size() - failed) + ",\"failed\":" + failed + ",\"cases\":[", "\n]}\n"));
    }

    private static String json(final Verdict verdict)
    {
        final JsonObject text = new JsonObject();
        text.addProperty("path", verdict.path().toString());
        text.addProperty("name", verdict.name());
        text.addProperty("passed", verdict.passed());
        if (!verdict.passed())
        {
            text.addProperty("failure", verdict.failure());
        }
        return "\n" + text;
    }
}
