package dev.millrace.command;

import dev.millrace.command.application.AppCommand;
import dev.millrace.command.application.RulesCommand;
import dev.millrace.command.bench.BenchCommand;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.domain.DomainCommand;
import dev.millrace.command.journal.JournalCommand;
import dev.millrace.command.migration.MigrateCommand;
import dev.millrace.command.project.InstallApiCommand;
import dev.millrace.command.recording.EventsCommand;
import dev.millrace.command.recording.PlaybackCommand;
import dev.millrace.command.recording.RecordCommand;
import dev.millrace.command.replay.ReplayCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code millrace} command; prints help when it is called without a subcommand. */
@Command(
    name = "millrace",
    description = "Runs, feeds and measures Millrace server instances.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
        "",
        "Examples:",
        "  millrace demo                             the sample application, end to end, for 15 seconds",
        "  millrace app install my-application.jar   deploy to the instance that runs on this host",
        "  millrace help app                         the subcommands of a command"})
public final class Main implements Runnable
{
    private static final int HELP_WIDTH = 100;
    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(DemoCommand.class, AppCommand.class, RulesCommand.class,
        RecordCommand.class, PlaybackCommand.class, EventsCommand.class, DomainCommand.class, JournalCommand.class,
        ReplayCommand.class, MigrateCommand.class, InstallApiCommand.class, SecretCommand.class, BenchCommand.class,
        CqlCommand.class, TestCommand.class, CommandLine.HelpCommand.class);

    @Spec
    private CommandSpec spec;

    /** The version of the product, from the manifest. */
    static final class Version implements CommandLine.IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            final String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"millrace " + (version == null ? "(not packaged)" : version)};
        }
    }

    /** Runs a command and exits the process. */
    public static void main(final String[] args)
    {
        System.exit(run(args));
    }

    /**
     * Runs a command.
     *
     * @return one of {@link ExitCode}
     */
    public static int run(final String... args)
    {
        // Half of the time of a short command would be the options of all others.
        final List<Class<?>> named = COMMANDS.stream().filter(command -> args.length > 0 &&
            command.getAnnotation(Command.class).name().equals(args[0]) && !args[0].equals("help")).toList();
        return commandLine(named.isEmpty() ? COMMANDS : named).execute(args);
    }

    /** Returns the command with all subcommands; the help of each ends with the exit codes. */
    public static CommandLine commandLine()
    {
        return commandLine(COMMANDS);
    }

    private static CommandLine commandLine(final List<Class<?>> subcommands)
    {
        final CommandLine all = new CommandLine(new Main());
        subcommands.forEach(all::addSubcommand);
        all.setExecutionExceptionHandler(Main::onException)
            .setExitCodeExceptionMapper(exception -> ExitCode.USAGE)
            .setParameterExceptionHandler(Main::onUsage)
            .setUsageHelpWidth(HELP_WIDTH);
        addExitCodes(all);
        return all;
    }

    private static void addExitCodes(final CommandLine command)
    {
        final List<String> footer = new ArrayList<>(List.of(command.getCommandSpec().usageMessage().footer()));
        footer.addAll(List.of("", ExitCode.HELP));
        command.getCommandSpec().usageMessage().footer(footer.toArray(String[]::new));
        Set.copyOf(command.getSubcommands().values()).forEach(Main::addExitCodes);
    }

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int onException(
        final Exception exception, final CommandLine commandLine, final CommandLine.ParseResult parsed)
    {
        final PrintWriter err = commandLine.getErr();
        if (exception instanceof CommandException expected)
        {
            err.println(expected.getMessage());
            return expected.exitCode();
        }
        if (exception instanceof InterruptedException)
        {
            err.println("CMD-0100: interrupted");
            return ExitCode.INTERRUPTED;
        }
        err.println("CMD-0199: unexpected failure, please report it with the lines below, reason=" + exception);
        err.println(commandLine.getColorScheme().richStackTraceString(exception));
        return ExitCode.FAILED;
    }

    private static int onUsage(final CommandLine.ParameterException exception, final String[] args)
    {
        final CommandLine commandLine = exception.getCommandLine();
        // CMD-0101: an option or argument of the command is invalid: read its --help
        commandLine.getErr().println("CMD-0101: " + exception.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(exception, commandLine.getErr());
        commandLine.getErr().println(
            "    hint: " + commandLine.getCommandSpec().qualifiedName() + " --help shows the options");
        return ExitCode.USAGE;
    }
}
