package dev.millrace.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.cli.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("slow")
@Timeout(180)
class MainTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReturnUsageWhenACommandOrOptionIsUnknown()
    {
        assertThat(Main.run("nonsense")).isEqualTo(ExitCode.USAGE);
        assertThat(Main.run("app", "list", "--nonsense")).isEqualTo(ExitCode.USAGE);
        assertThat(Main.run("app", "list", "--domain", directory.toString())).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldReturnUsageWhenAnAddressOrADirectoryIsNone()
    {
        assertThat(Main.run("app", "list", "--url", "nowhere", "--user", "a", "--password=b"))
            .isEqualTo(ExitCode.USAGE);
        assertThat(Main.run("domain", "list", "--below", directory.resolve("none").toString()))
            .isEqualTo(ExitCode.USAGE);
    }

    /** None of them can start here because there is no home directory, which they detect after the check of options. */
    @ParameterizedTest
    @ValueSource(strings = {"demo", "bench loopback", "bench instance", "bench start", "bench scaling", "bench peak",
        "bench faults", "bench simulate"})
    void shouldSayBeforeItBeginsThatFiguresCannotBeWritten(final String command)
    {
        final StringWriter said = new StringWriter();
        final List<String> line = new ArrayList<>(List.of(command.split(" ")));
        line.addAll(List.of("--json", directory.resolve("none/figures.json").toString()));
        final int exitCode = Main.commandLine().setErr(new PrintWriter(said)).execute(line.toArray(String[]::new));
        assertThat(exitCode).as(said.toString()).isEqualTo(ExitCode.USAGE);
        assertThat(said.toString()).startsWith("CMD-0106").contains("figures.json");
    }

    @Test
    void shouldReturnNotFoundWhenNoInstanceAnswers() throws Exception
    {
        final int port = dev.millrace.command.instance.Ports.free().netio();
        assertThat(Main.run("app", "list", "--url", "http://127.0.0.1:" + port, "--user", "nobody", "--password=x"))
            .isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void shouldReturnDoneWhenHelpIsAskedFor()
    {
        assertThat(Main.run("help")).isEqualTo(ExitCode.DONE);
        assertThat(Main.run("demo", "--help")).isEqualTo(ExitCode.DONE);
        assertThat(Main.run("app", "install", "--help")).isEqualTo(ExitCode.DONE);
    }

    /** Returns all commands, each once even if it has several names. */
    static Stream<CommandLine> commands()
    {
        return withBelow(Main.commandLine());
    }

    private static Stream<CommandLine> withBelow(final CommandLine command)
    {
        return Stream.concat(Stream.of(command),
            command.getSubcommands().values().stream().distinct().flatMap(MainTest::withBelow));
    }

    /** Commands that print tables. */
    @Test
    void shouldPrintEachTableAsJsonTooAndShowStatesAgainAndAgain()
    {
        assertThat(commandsWith("--format")).containsExactlyInAnyOrder("app list", "app run", "app diff", "app status",
            "app statistics", "app history", "rules list", "domain list", "domain status", "journal list",
            "journal show", "journal export", "record start", "record stop", "record status", "playback start",
            "playback stop", "playback status", "events list", "replay");
        assertThat(commandsWith("--watch")).containsExactlyInAnyOrder("app list", "app status", "app statistics",
            "domain list", "domain status");
    }

    private static List<String> commandsWith(final String option)
    {
        return commands().filter(command -> command.getCommandSpec().findOption(option) != null)
            .map(command -> command.getCommandSpec().qualifiedName().replaceFirst("^millrace ", "")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app list", "app status a", "app statistics a", "app history --group all a",
        "rules list --application a --processor p", "domain list", "domain status", "journal list", "journal show a",
        "journal export a f", "record start -A a -S s", "record stop -A a -S s", "record status -A a",
        "playback start -A a -S s", "playback stop -A a -S s", "playback status -A a", "events list",
        "replay --app a"})
    void shouldRefuseAFormatThatIsNoneWithEveryTable(final String command)
    {
        final StringWriter said = new StringWriter();
        final List<String> line = new ArrayList<>(List.of(command.split(" ")));
        line.addAll(List.of("--format", "xml"));
        assertThat(Main.commandLine().setErr(new PrintWriter(said)).execute(line.toArray(String[]::new)))
            .isEqualTo(ExitCode.USAGE);
        assertThat(said.toString()).contains("CMD-0201", "format=xml");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldShowAnExampleAndExitCodesInTheHelpOfEveryCommand(final CommandLine command)
    {
        final String help = command.getUsageMessage();
        assertThat(help).containsOnlyOnce("Exit codes: 0 ");
        if (!"help".equals(command.getCommandName()))
        {
            assertThat(help).contains("Example");
        }
    }

    /** A line broken at the width of the help, or within a name, looks like a mistake. */
    @ParameterizedTest
    @MethodSource("commands")
    void shouldShowLinesOfHelpUnbroken(final CommandLine command)
    {
        final CommandLine.Model.UsageMessageSpec texts = command.getCommandSpec().usageMessage();
        assertThat(texts.footer()).allMatch(line -> line.length() <= texts.width());
        assertThat(texts.description()[0]).endsWith(".");
        assertThat(command.getUsageMessage()).doesNotContainPattern("[a-z]\\.\n *(xml|sh|md|csv|prop)\\b");
    }
}
