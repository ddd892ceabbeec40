package dev.millrace.cql.testkit.command;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace cql explain}: shows how statements run and what they cost. */
@Command(
    name = "explain", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Shows how a server would run statements: logical plan, operators, state of patterns, and the " +
        "estimated time per row; with --run, the measured time.",
    footer = {
        "",
        "Examples:",
        "  millrace cql explain rise.cql --stream 'S:symbol char,price double'",
        "  millrace cql explain rise.cql --stream 'S:symbol char,price double' --code",
        "  millrace cql explain rise.cql --stream 'S=ticks.csv:ts bigint,symbol char,price double' --time ts --run",
        "",
        "FILE.cql contains statements, as for 'millrace cql run'. Assembly files, configuration files and bundles",
        "are not read: copy the rules of a processor into FILE.cql and specify its channels as sources."})
final class ExplainCommand implements Callable<Integer>
{
    private final InputStream in;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE.cql", description = "Statements.")
    private Path file;

    @CommandLine.Mixin
    private SourceOptions sources;

    @Option(names = "--code", description = "Also show the generated Java source text.")
    private boolean showCode;

    @Option(
        names = "--run",
        description = "Run each query over the rows of the files and show its CPU time per row, output rows, " +
            "and state. Takes up to 10 s per query.")
    private boolean isRun;

    @Option(
        names = "--rows", paramLabel = "N", defaultValue = "1000000",
        description = "With --run: load at most the first N rows of the files. Default: " +
            "${DEFAULT-VALUE}.")
    private int rows;

    @Option(
        names = "--time", paramLabel = "COLUMN",
        description = "With --run: column with the time of a row, as for 'millrace cql run'.")
    private List<String> times = new ArrayList<>();

    ExplainCommand(final InputStream in)
    {
        this.in = in;
    }

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        try
        {
            final List<RuleText> rules = RuleFile.read(file);
            final List<StreamSpec> specs = sources.specs();
            final RowTimes rowTimes = new RowTimes(times, specs);
            final Catalog catalog = QuerySession.catalog(specs, isRun && rowTimes.isMillisecondALine());
            final Explanation explanation = new Explanation(rules, catalog);
            QuerySession.warnings(file.toString(), rules).forEach(spec.commandLine().getErr()::println);
            explanation.lines().forEach(out::println);
            if (showCode)
            {
                out.println();
                explanation.code().forEach(out::println);
            }
            if (isRun)
            {
                out.println();
                measured(rules, specs, rowTimes, catalog).forEach(out::println);
            }
        }
        catch (final CqlException refused)
        {
            throw QuerySession.refusal(file.toString(), refused);
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private List<String> measured(final List<RuleText> rules, final List<StreamSpec> specs,
        final RowTimes rowTimes, final Catalog catalog) throws CqlException, IOException
    {
        if (rows < 1)
        {
            throw new CommandLine.ParameterException(spec.commandLine(), "--rows must be 1 or more, rows=" + rows);
        }
        specs.forEach(StreamSpec::checkReadable);
        final PrintWriter err = spec.commandLine().getErr();
        final Progress progress = Progress.of(in, err);
        final StoredRows stored = new StoredRows();
        final InvalidLineReport badLines = new InvalidLineReport(err, progress);
        stored.read(specs, rowTimes, in, rows, badLines::add, progress);
        badLines.end();
        final List<String> lines = new ArrayList<>();
        Explanation.section(lines, "Measured", stored.count() == 0 ? List.of("the files have no rows") :
            new QueryMeasurement(stored, catalog, progress).lines(rules));
        return lines;
    }
}
