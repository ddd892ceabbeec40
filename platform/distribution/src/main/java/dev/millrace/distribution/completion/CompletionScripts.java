package dev.millrace.distribution.completion;

import dev.millrace.command.Main;
import dev.millrace.cql.testkit.command.CqlTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Generates the completion of the {@code millrace} command: {@code millrace.bash} for bash, and {@code _millrace},
 * which loads it, for zsh. All methods may be called by any thread.
 */
public final class CompletionScripts
{
    /** The functions of bash run in zsh with its own emulation of {@code complete}. */
    private static final String ZSH = """
        #compdef millrace
        # Completion of the millrace command for zsh: millrace.bash of the same directory, by bashcompinit.
        autoload -U +X bashcompinit && bashcompinit
        # The script replaces this command of bash by an alias, which zsh does not expand in a function that it loads.
        compopt() { : }
        source "${${(%):-%x}:A:h}/millrace.bash"
        _bash_complete -o default -F _complete_millrace
        """;

    private CompletionScripts()
    {
    }

    /**
     * Writes the scripts.
     *
     * @param args the directory
     * @throws IOException when a file cannot be written
     */
    public static void main(final String[] args) throws IOException
    {
        write(Path.of(args[0]));
    }

    /**
     * Writes the scripts; replaces existing ones.
     *
     * @param directory created if it is missing
     * @throws IOException when a file cannot be written
     */
    static void write(final Path directory) throws IOException
    {
        final CommandLine command = Main.commandLine();
        // The command passes these words to another library, whose options it does not have.
        command.getCommandSpec().removeSubcommand("cql");
        command.addSubcommand("cql", CqlTool.commandLine());
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("millrace.bash"), withoutTime(AutoComplete.bash("millrace", command)));
        Files.writeString(directory.resolve("_millrace"), ZSH);
    }

    /** Equal sources result in equal files. */
    private static String withoutTime(final String script)
    {
        return script.replaceFirst("(?m)^# Date: .*\\R", "");
    }
}
