package dev.millrace.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(30)
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

    @Test
    void shouldShowAnExampleInTheHelpOfEveryCommand()
    {
        final List<String> without = new ArrayList<>();
        check(new CommandLine(new Main()), without);
        assertThat(without).isEmpty();
    }

    private static void check(final CommandLine command, final List<String> without)
    {
        if (!command.getUsageMessage().contains("Example") && !"help".equals(command.getCommandName()))
        {
            without.add(command.getCommandSpec().qualifiedName());
        }
        command.getSubcommands().values().forEach(sub -> check(sub, without));
    }
}
