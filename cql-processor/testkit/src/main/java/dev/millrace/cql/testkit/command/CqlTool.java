package dev.millrace.cql.testkit.command;

import dev.millrace.cql.testkit.ConformanceRunner;
import java.io.IOException;
import java.nio.file.Files;
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

/** {@code millrace cql}: runs, explains and tests statements without a server. */
@Command(
    name = "cql",
    description = "Runs, explains and tests CQL statements without a server.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    subcommands = {CqlTool.Run.class, CqlTool.Explain.class, CqlTool.Test.class})
public final class CqlTool implements Callable<Integer>
{
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 64;
    private static final int WIDTH = 100;

    @Spec
    private CommandSpec spec;

    /** Sources that statements read. */
    static final class Sources
    {
        @Option(
            names = "--stream", paramLabel = "SPEC",
            description = "A stream: NAME=FILE:COLUMN TYPE,... for example 'S=ticks.csv:symbol char,price double'. " +
                "Without =FILE for explaining.")
        private List<String> streams = new ArrayList<>();

        @Option(
            names = "--relation", paramLabel = "SPEC",
            description = "A relation, likewise; each line of its file begins with +, - or U.")
        private List<String> relations = new ArrayList<>();

        List<StreamSpec> specs()
        {
            final List<StreamSpec> specs = new ArrayList<>();
            streams.forEach(text -> specs.add(StreamSpec.parse(text, false)));
            relations.forEach(text -> specs.add(StreamSpec.parse(text, true)));
            return specs;
        }
    }

    @Command(
        name = "run", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Runs statements over CSV files and prints rows as they come: query, time in milliseconds, " +
            "+ or -, values.",
        footer = {
            "",
            "Examples:",
            "  millrace cql run rise.cql --stream 'S=ticks.csv:symbol char,price double'",
            "  millrace cql run rise.cql --stream 'S=ticks.csv:ts bigint,symbol char,price double' --time ts",
            "",
            "A file holds one statement, or several ended by semicolons:",
            "  view v (symbol, change) as select ... ;  query q as select ... from v ;"})
    static final class Run implements Callable<Integer>
    {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE.cql", description = "Statements.")
        private Path file;

        @CommandLine.Mixin
        private Sources sources;

        @Option(
            names = "--time", paramLabel = "COLUMN",
            description = "Column with the time of a row, in milliseconds or a timestamp. Default: a millisecond a " +
                "line.")
        private String timeColumn;

        @Override
        public Integer call() throws IOException
        {
            return new FileRun(spec.commandLine().getOut(), spec.commandLine().getErr(), timeColumn)
                .run(new QuerySession(RuleFile.read(file), sources.specs(), file.toString()), sources.specs());
        }
    }

    @Command(
        name = "explain", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Shows the plan of statements.",
        footer = {
            "",
            "Example:",
            "  millrace cql explain rise.cql --stream 'S:symbol char,price double' --code"})
    static final class Explain implements Callable<Integer>
    {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE.cql", description = "Statements.")
        private Path file;

        @CommandLine.Mixin
        private Sources sources;

        @Option(names = "--code", description = "Show the generated Java text, too.")
        private boolean showCode;

        @Override
        public Integer call()
        {
            final QuerySession session =
                new QuerySession(RuleFile.read(file), sources.specs(), file.toString());
            spec.commandLine().getOut().println(session.explain());
            if (showCode)
            {
                spec.commandLine().getOut().println(session.javaText());
            }
            return DONE;
        }
    }

    @Command(
        name = "test", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Runs case files on the engine and prints what differs; the last line says how many passed.",
        footer = {
            "",
            "Example:",
            "  millrace cql test cases/ --json result.json"})
    static final class Test implements Callable<Integer>
    {
        @Parameters(paramLabel = "PATH", arity = "1..*", description = "Case files, or directories of them.")
        private List<Path> paths;

        @Option(names = "--json", paramLabel = "FILE", description = "Write the results to a file.")
        private Path json;

        @Override
        public Integer call() throws IOException
        {
            final List<String> arguments = new ArrayList<>();
            paths.forEach(path -> arguments.add(path.toString()));
            if (json != null)
            {
                arguments.addAll(List.of("--json", json.toString()));
            }
            return ConformanceRunner.run(arguments, System.out);
        }
    }

    /**
     * Runs a command.
     *
     * @param arguments command line
     * @return exit code: 0 done, 1 failed, 64 wrong usage
     */
    public static int run(final String... arguments)
    {
        return new CommandLine(new CqlTool())
            .setCommandName("millrace cql")
            .setUsageHelpWidth(WIDTH)
            .setExecutionExceptionHandler(CqlTool::onException)
            .setExitCodeExceptionMapper(exception -> USAGE)
            .execute(arguments);
    }

    private static int onException(
        final Exception exception, final CommandLine line, final CommandLine.ParseResult parsed)
    {
        line.getOut().flush();
        if (exception instanceof ToolException expected)
        {
            line.getErr().println(expected.getMessage());
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

    /** Whether files can be read before anything runs. */
    static void checkReadable(final List<StreamSpec> specs)
    {
        for (final StreamSpec each : specs)
        {
            if (each.file() == null || !Files.isReadable(each.file()))
            {
                throw new ToolException("CMD-0307", "file of a source cannot be read, source=" + each.name() +
                    " file=" + each.file(), "write --stream '" + each.name() + "=FILE:COLUMNS'");
            }
        }
    }
}
