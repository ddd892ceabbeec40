package dev.millrace.distribution.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Completion as bash performs it, with the generated script. */
@Timeout(60)
class CompletionScriptsTest
{
    @TempDir
    private static Path directory;

    @BeforeAll
    static void generate() throws IOException
    {
        CompletionScripts.write(directory);
    }

    private static List<String> bash(final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("bash", "--norc"));
        command.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output.lines().toList();
    }

    /** The candidates for the last word. */
    private static List<String> candidates(final String... words) throws IOException, InterruptedException
    {
        final List<String> arguments = new ArrayList<>(List.of("-c", """
            # Sets options of the running completion, and there is none.
            compopt() { :; }
            . "$0"
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            COMP_LINE="$*"
            COMP_POINT=${#COMP_LINE}
            _complete_millrace millrace "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$((COMP_CWORD - 1))]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """, directory.resolve("millrace.bash").toString(), "millrace"));
        arguments.addAll(List.of(words));
        return bash(arguments.toArray(String[]::new)).stream().map(String::strip).filter(word -> !word.isEmpty())
            .toList();
    }

    @Test
    void shouldBeValidForBash() throws Exception
    {
        assertThat(bash("-n", directory.resolve("millrace.bash").toString())).isEmpty();
    }

    @Test
    void shouldRegisterTheCommand() throws Exception
    {
        assertThat(bash("-c", ". \"$0\"; complete -p millrace", directory.resolve("millrace.bash").toString()))
            .singleElement().asString().contains("-F _complete_millrace");
    }

    @Test
    void shouldCompleteCommandsAndTheirVerbs() throws Exception
    {
        assertThat(candidates("do")).containsExactly("domain");
        assertThat(candidates("app", "inst")).containsExactly("install");
        assertThat(candidates("domain", "st")).containsExactlyInAnyOrder("start", "stop", "status");
        assertThat(candidates("secret", "")).contains("encrypt", "rekey");
    }

    @Test
    void shouldCompleteOptionsOfAVerb() throws Exception
    {
        assertThat(candidates("demo", "--conn")).containsExactly("--connections");
        assertThat(candidates("app", "list", "--trusted")).containsExactly("--trusted-certificates");
    }

    @Test
    void shouldCompleteTheToolsForRules() throws Exception
    {
        assertThat(candidates("cql", "")).contains("run", "explain", "test");
        assertThat(candidates("cql", "run", "--unt")).containsExactly("--until");
    }

    @Test
    void shouldOfferNothingForAnUnknownWord() throws Exception
    {
        assertThat(candidates("nosuchword")).isEmpty();
    }

    @Test
    void shouldGenerateTheSameFilesFromTheSameSources(@TempDir final Path second) throws IOException
    {
        CompletionScripts.write(second);
        assertThat(second.resolve("millrace.bash")).hasSameTextualContentAs(directory.resolve("millrace.bash"));
    }

    @Test
    void shouldLoadTheScriptOfBashInZsh() throws IOException
    {
        final String zsh = Files.readString(directory.resolve("_millrace"));
        // The completion system of zsh reads the first line.
        assertThat(zsh).startsWith("#compdef millrace\n").contains("bashcompinit", "/millrace.bash",
            "_complete_millrace");
        assertThat(Files.readString(directory.resolve("millrace.bash"))).contains("function _complete_millrace()");
    }
}
