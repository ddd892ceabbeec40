package dev.millrace.cql.testkit.command;

import dev.millrace.cql.language.problem.RuleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code millrace cql}: runs, explains and tests statements without a server. */
@Command(
    name = "cql",
    description = "Runs, explains and tests CQL statements without a server.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {CqlTool.Run.class, ExplainCommand.class, TestCommand.class},
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
    static final int DONE = 0;
    static final int FAILED = 1;
    private static final int USAGE = 64;
    private static final int WIDTH = 100;

    private final InputStream in;

    @Spec
    private CommandSpec spec;

    private CqlTool(final InputStream in)
    {
        this.in = in;
    }

    /** Sources that statements read. */
    static final class Sources
    {
        @Option(
            names = "--stream", paramLabel = "SPEC",
            description = "A stream, NAME=FILE:COLUMN TYPE,... for example 'S=ticks.csv:symbol char,price double'. " +
                "FILE - is the standard input. Without =FILE for explaining. May be given several times.")
        private List<String> streams = new ArrayList<>();

        @Option(
            names = "--relation", paramLabel = "SPEC",
            description = "A relation in the same form; each line of its file begins with +, - or U, which " +
                "needs a key: 'R=limits.csv:symbol char,most double,primary key(symbol)'.")
        private List<String> relations = new ArrayList<>();

        @Option(
            names = "--infer",
            description = "Infers the columns of streams that are given as NAME=FILE from the file: names from its " +
                "first line, types from the first 1,000 rows; prints the result.")
        private boolean isInferred;

        @CommandLine.Mixin
        private ClassPathOption classPath;

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command;

        List<StreamSpec> specs()
        {
            classPath.use();
            final List<StreamSpec> specs = new ArrayList<>();
            streams.forEach(text -> specs.add(StreamSpec.parse(completed(text), false)));
            relations.forEach(text -> specs.add(StreamSpec.parse(text, true)));
            final Set<String> names = new HashSet<>();
            for (final StreamSpec each : specs)
            {
                if (!names.add(each.name().toLowerCase(Locale.ROOT)))
                {
                    throw ToolException.usage("CMD-0310", "two sources have one name, source=" + each.name(),
                        "give each source a different name");
                }
            }
            if (specs.stream().filter(StreamSpec::isStandardInput).count() > 1)
            {
                throw ToolException.usage("CMD-0310", "two sources read the standard input",
                    "specify a file for one of them");
            }
            return specs;
        }

        private String completed(final String source)
        {
            final String complete = isInferred ? InferredColumns.complete(source) : source;
            if (!complete.equals(source))
            {
                command.commandLine().getErr().println("note: columns are inferred from the file: --stream '" +
                    complete + "'; use this option with other types if these are not intended");
            }
            return complete;
        }
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
        @ParentCommand
        private CqlTool tool;

        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE.cql", description = "Statements.")
        private Path file;

        @CommandLine.Mixin
        private Sources sources;

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
            checkReadable(specs);
            return new FileRun(spec.commandLine().getOut(), err, tool.in, printer(), tool.progress(err))
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

    private static int execute(
        final InputStream in, final PrintWriter out, final PrintWriter err, final String... arguments)
    {
        final CommandLine line = new CommandLine(new CqlTool(in));
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
            return expected.isUsage() ? USAGE : FAILED;
        }
        if (exception instanceof IOException failure)
        {
            line.getErr().println("CMD-0307: a file cannot be read or written, cause=" + failure);
            line.getErr().println("    hint: check the path, the permissions and the disk");
            return FAILED;
        }
        line.getErr().println("CMD-0399: unexpected failure, please report it with the lines below, reason=" +
            exception);
        line.getErr().println(line.getColorScheme().richStackTraceString(exception));
        return FAILED;
    }

    @Override
    public Integer call()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
        return DONE;
    }

    /** Content of a source {@code -}. */
    InputStream in()
    {
        return in;
    }

    /** Progress output, on a terminal only. */
    Progress progress(final PrintWriter err)
    {
        final String screen = in == System.in ? System.getProperty("millrace.screen", "none") : "none";
        return new Progress(err, !screen.equals("none"), screen.equals("all"), System::nanoTime);
    }

    /** Checks that files can be read before anything runs. */
    static void checkReadable(final List<StreamSpec> specs)
    {
        for (final StreamSpec each : specs)
        {
            if (each.file() == null)
            {
                throw ToolException.usage("CMD-0307", "source has no file, source=" + each.name(),
                    "write --" + (each.relation() ? "relation" : "stream") + " '" + each.name() + "=FILE:COLUMNS'");
            }
            if (!each.isStandardInput() &&
                (!Files.isReadable(Path.of(each.file())) || Files.isDirectory(Path.of(each.file()))))
            {
                throw new ToolException("CMD-0307", "file of a source cannot be read, source=" + each.name() +
                    " file=" + each.file(), "specify the path of a CSV file, or - for the standard input");
            }
        }
    }
}
