package dev.millrace.cql.testkit.command;

import dev.millrace.cql.language.problem.RuleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace cql}: runs, explains and tests statements without a server. */
@Command(
    name = "cql",
    description = "Runs, explains and tests CQL statements without a server.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    footer = {
        "",
        "Examples:",
        "  millrace cql run rise.cql --stream 'Ticks=ticks.csv:symbol char,price double'",
        "  millrace cql explain rise.cql --stream 'Ticks:symbol char,price double'",
        "  millrace cql test cases/",
        "",
        "Exit codes: 0 success, 1 failed, 64 wrong usage, 130 interrupted."})
public final class CqlTool implements Callable<Integer>
{
    private static final int USAGE = 64;
    private static final int WIDTH = 100;

    @Spec
    private CommandSpec spec;

    private CqlTool()
    {
    }

    @Command(
        name = "run", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Runs statements over CSV files and prints rows as they are emitted: query, time in " +
            "milliseconds, + or -, values.",
        footer = {
            "",
            "Examples:",
            "  millrace cql run rise.cql --stream 'S=ticks.csv:symbol char,price double'",
            "  millrace cql run rise.cql --stream 'S=ticks.csv:ts bigint,symbol char,price double' --time ts",
            "  tail -f ticks.csv | millrace cql run rise.cql --stream 'S=-:symbol char,price double'",
            "",
            "FILE.cql contains one statement, or several separated by semicolons:",
            "  view v (symbol, change) as select ... ;  query q as select ... from v ;",
            "A CSV file may begin with the names of its columns. Fields may be in double quotes; an empty",
            "field is null. Lines that are not rows are reported with their number and skipped.",
            "",
            "Exit codes: 0 success, 1 failed or some lines or rows were rejected, 64 wrong usage."})
    static final class Run implements Callable<Integer>
    {
        private final InputStream in;

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE.cql", description = "Statements.")
        private Path file;

        @CommandLine.Mixin
        private SourceOptions sources;

        @Option(
            names = "--time", paramLabel = "COLUMN",
            description = "Column with the time of a row: a number of milliseconds, or a timestamp. COLUMN applies " +
                "to all sources that have it, SOURCE.COLUMN to one; rows of other sources have time 0. Without " +
                "this option, each line of a file advances time by one millisecond.")
        private List<String> times = new ArrayList<>();

        @Option(
            names = "--until", paramLabel = "MS", converter = Milliseconds.class,
            description = "Advances time to this instant, in milliseconds, after the last row, so that windows " +
                "empty and patterns with a duration are decided. Default: time ends with the last row.")
        private Long untilNs;

        @Option(
            names = "--format", paramLabel = "FORMAT", defaultValue = "text",
            description = "text, csv or json (an object per line). Default: ${DEFAULT-VALUE}.")
        private String format;

        Run(final InputStream in)
        {
            this.in = in;
        }

        @Override
        public Integer call() throws IOException
        {
            final PrintWriter err = spec.commandLine().getErr();
            final List<StreamSpec> specs = sources.specs();
            final RowTimes rowTimes = new RowTimes(times, specs);
            final List<RuleText> rules = RuleFile.read(file);
            final QuerySession session =
                new QuerySession(rules, specs, file.toString(), rowTimes.isMillisecondALine());
            QuerySession.warnings(file.toString(), rules).forEach(err::println);
            specs.forEach(StreamSpec::checkReadable);
            return new FileRun(spec.commandLine().getOut(), err, in, printer(), Progress.of(in, err))
                .run(session, specs, rowTimes, untilNs);
        }

        private RowPrinter printer()
        {
            try
            {
                return RowPrinter.of(format);
            }
            catch (final IllegalArgumentException unknown)
            {
                throw new CommandLine.ParameterException(spec.commandLine(),
                    "unknown format '" + format + "', use text, csv or json", unknown);
            }
        }
    }

    /** An instant on the command line. */
    static final class Milliseconds implements CommandLine.ITypeConverter<Long>
    {
        private static final int NANO_DIGITS = 6;

        @Override
        public Long convert(final String text)
        {
            try
            {
                return new BigDecimal(text).movePointRight(NANO_DIGITS).longValueExact();
            }
            catch (final ArithmeticException | NumberFormatException wrong)
            {
                throw new CommandLine.TypeConversionException("'" + text +
                    "' is not a number of milliseconds within 292 years of 1970, down to a nanosecond");
            }
        }
    }

    /**
     * Runs a command on the streams of the process.
     *
     * @param arguments command line
     * @return exit code: 0 success, 1 failed, 64 wrong usage
     */
    public static int run(final String... arguments)
    {
        return run(System.in, new PrintWriter(System.out, false, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8), arguments);
    }

    /**
     * Runs a command.
     *
     * @param in        content of a source {@code -}
     * @param out       receives rows
     * @param err       receives messages
     * @param arguments command line
     * @return exit code: 0 success, 1 failed, 64 wrong usage
     */
    public static int run(
        final InputStream in, final PrintWriter out, final PrintWriter err, final String... arguments)
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        try
        {
            return execute(in, out, err, arguments);
        }
        finally
        {
            // --classpath changes it.
            thread.setContextClassLoader(before);
        }
    }

    /** Returns the command with its subcommands, as a description of their options. */
    public static CommandLine commandLine()
    {
        return commandLine(System.in);
    }

    private static CommandLine commandLine(final InputStream in)
    {
        return new CommandLine(new CqlTool()).addSubcommand(new Run(in)).addSubcommand(new ExplainCommand(in))
            .addSubcommand(new TestCommand(in));
    }

    private static int execute(
        final InputStream in, final PrintWriter out, final PrintWriter err, final String... arguments)
    {
        final CommandLine line = commandLine(in);
        line.getCommandSpec().versionProvider(CqlTool::version);
        line.getSubcommands().values().forEach(each -> each.getCommandSpec().versionProvider(CqlTool::version));
        final int exit = line
            .setCommandName("millrace cql")
            .setUsageHelpWidth(WIDTH)
            .setOut(out)
            .setErr(err)
            .setExecutionExceptionHandler(CqlTool::onException)
            .setExitCodeExceptionMapper(exception -> USAGE)
            .setParameterExceptionHandler(CqlTool::onUsage)
            .execute(arguments);
        out.flush();
        err.flush();
        return exit;
    }

    private static String[] version()
    {
        final String version = CqlTool.class.getPackage().getImplementationVersion();
        return new String[] {"millrace " + (version == null ? "(not packaged)" : version)};
    }

    private static int onUsage(final CommandLine.ParameterException exception, final String[] arguments)
    {
        final CommandLine line = exception.getCommandLine();
        // CMD-0308: an option or argument of the tool cannot be used: read its --help
        line.getErr().println("CMD-0308: " + exception.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(exception, line.getErr());
        line.getErr().println("    hint: " + line.getCommandSpec().qualifiedName() + " --help shows the usage");
        return USAGE;
    }

    private static int onException(
        final Exception exception, final CommandLine line, final CommandLine.ParseResult parsed)
    {
        line.getOut().flush();
        if (exception instanceof ToolException expected)
        {
            line.getErr().println(expected.getMessage());
            return expected.isUsage() ? USAGE : ExitCode.SOFTWARE;
        }
        if (exception instanceof IOException failure)
        {
            line.getErr().println("CMD-0307: a file cannot be read or written, cause=" + failure);
            line.getErr().println("    hint: check the path, the permissions and the disk");
            return ExitCode.SOFTWARE;
        }
        line.getErr().println("CMD-0399: unexpected failure, please report it with the lines below, reason=" +
            exception);
        line.getErr().println(line.getColorScheme().richStackTraceString(exception));
        return ExitCode.SOFTWARE;
    }

    @Override
    public Integer call()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
