package dev.millrace.command.run;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.ExternalTool;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.ApplicationRunner;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Format;
import dev.millrace.network.spi.ApplicationRunner.Settings;
import dev.millrace.network.spi.ApplicationRunner.Summary;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs an application without a server. */
@Command(
    name = "run", mixinStandardHelpOptions = true,
    description = {
        "Runs an application without a server: rows of files instead of adapters, rows of channels to the screen or"
            + " into files. Ends when all inputs are at their end.",
        "Rules, beans and adapters that name a class run; adapters of providers are replaced. Files are CSV, whose"
            + " first line names the properties, or JSON with an object on each line.",
        "Time: if the channel of each input has application time, or --time names a column of each, rows are"
            + " processed in order of their times, which are the time of the application. Otherwise inputs are read one"
            + " after the other, and rows have the time of their arrival.",
        "Lines that are no rows, and rows that a stage rejects, are reported, and the exit code is 1."},
    footer = {"", "Examples:",
        "  millrace app run . --input TradeStream=trades.csv",
        "  millrace app run . --input trades=trades.csv --time ts --advance 1m --output FallStream=falls.csv",
        "  zcat trades.json.gz | millrace app run target/prices.jar --input trades=- --format json"})
public final class RunCommand implements Callable<Integer>
{
    /** System property with the class of the engine. */
    private static final String RUNNER = "millrace.run";
    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    @Spec
    private CommandSpec spec;

    @Option(names = "--input", paramLabel = "STAGE=FILE", required = true,
        description = "Rows of an adapter or channel; FILE - is the standard input. May be given several times.")
    private List<String> inputs = new ArrayList<>();

    @Option(names = "--output", paramLabel = "STAGE[=FILE]",
        description = "Rows of a channel or replaced adapter; without FILE to the screen. Default: all channels that"
            + " processors feed. May be given several times.")
    private List<String> outputs = new ArrayList<>();

    @Option(names = "--format", paramLabel = "csv|json", defaultValue = "json",
        description = "Format of the standard input and output, and of files that do not end with .csv, .json, .jsonl"
            + " or .ndjson; default: ${DEFAULT-VALUE}.")
    private String format;

    @Option(names = "--time", paramLabel = "[STAGE.]COLUMN",
        description = "Column with the time of rows, a timestamp or a number of milliseconds, for channels without"
            + " application time.")
    private List<String> times = new ArrayList<>();

    @Option(names = "--advance", paramLabel = "DURATION", defaultValue = "none",
        description = "By how much time advances after the last row, for example 10s, so that windows and patterns"
            + " end.")
    private String advance;

    @Option(names = "--time-column", paramLabel = "NAME",
        description = "Adds a column with the time of each row to the output.")
    private String timeColumn;

    @Option(names = "--property", paramLabel = "NAME=VALUE", description = "Value of a placeholder.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--classpath", paramLabel = "PATH",
        description = "Further jars and directories of classes, separated as on the command line of java.")
    private String classPath;

    @Option(names = "--log", paramLabel = "LEVEL", defaultValue = "warn",
        description = "Least level of log messages on the screen: error, warn, info or debug; default:"
            + " ${DEFAULT-VALUE}.")
    private String log;

    @Parameters(paramLabel = "PATH", description = "Bundle, or directory of a project.")
    private Path application;

    @Override
    public Integer call() throws IOException
    {
        final Settings settings = settings();
        System.setProperty(LOG_LEVEL, log);
        final ApplicationRunner runner = ExternalTool.create(RUNNER, ApplicationRunner.class);
        try (TerminalRun terminal = new TerminalRun(err(), settings.inputs()))
        {
            return report(run(runner, settings, terminal), terminal.isStopped());
        }
        catch (final DeploymentException e)
        {
            e.problems().forEach(problem -> err().println(text(problem)));
            return e.problems().stream().allMatch(problem -> problem.code().equals(ApplicationRunner.WRONG_NAME)) ?
                ExitCode.USAGE : ExitCode.FAILED;
        }
        catch (final NoSuchFileException e)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0273", "no such file or directory, path=" +
                e.getMessage(), "specify the path of a file");
        }
        catch (final IOException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0274", "a file cannot be read or written, reason=" + e,
                "check its owner, mode and content");
        }
    }

    /** A problem of the settings has no position. */
    private static String text(final Problem problem)
    {
        return problem.position().equals(SourcePosition.NONE) ? problem.code() + ": " + problem.text() +
            (problem.hint().isEmpty() ? "" : "\n    hint: " + problem.hint()) : problem.format();
    }

    private static Summary run(final ApplicationRunner runner, final Settings settings, final TerminalRun terminal)
        throws DeploymentException, IOException
    {
        try
        {
            return runner.run(settings, terminal);
        }
        finally
        {
            terminal.end();
        }
    }

    private Settings settings()
    {
        if (!Files.exists(application))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0268",
                "no such file or directory, path=" + application.toAbsolutePath(),
                "specify a bundle, or the directory of a project");
        }
        final Format standard = format();
        final List<Connection> sources = ConnectionOption.inputs(inputs, standard);
        return new Settings(application, classPath(), sources, ConnectionOption.outputs(outputs, standard), times,
            advance(), timeColumn, standard, properties);
    }

    private Format format()
    {
        return switch (format.toLowerCase(Locale.ROOT))
        {
            case "csv" -> Format.CSV;
            case "json" -> Format.JSON;
            default -> throw new CommandException(ExitCode.USAGE, "CMD-0276", "no such format, --format=" + format,
                "use --format csv or --format json");
        };
    }

    private Duration advance()
    {
        final Duration time = DurationFormat.parse(advance);
        if (time == null)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0275", "not a duration, --advance=" + advance,
                "write " + DurationFormat.FORM);
        }
        return time;
    }

    private List<Path> classPath()
    {
        final List<Path> paths = new ArrayList<>();
        for (final String part : classPath == null ? new String[0] : classPath.split(File.pathSeparator))
        {
            if (!Files.exists(Path.of(part)))
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0273", "no such file or directory, path=" + part,
                    "specify paths of jars and of directories of classes");
            }
            paths.add(Path.of(part));
        }
        return paths;
    }

    private int report(final Summary summary, final boolean isStopped)
    {
        err().println(String.format(Locale.ROOT, "%,d rows read, %,d rows written", summary.rowsRead(),
            summary.rowsWritten()) + (isStopped ? ", interrupted" : ""));
        summary.rejections().forEach(text -> err().println("rejected: " + text));
        if (summary.isVirtual() && summary.rowsRead() > 0 && advance().isZero())
        {
            err().println("note: time ended with the last row; windows and patterns may be undecided: --advance " +
                "DURATION advances time");
        }
        err().flush();
        return isStopped ? ExitCode.INTERRUPTED :
            summary.rejections().isEmpty() && summary.invalidLines() == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private PrintWriter err()
    {
        return spec.commandLine().getErr();
    }
}
