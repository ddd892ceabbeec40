package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of the Debian package, with pretended programs. The others would change this machine. */
@Timeout(20)
class DebianScriptsIT
{
    private static final Path CONTROL = Path.of("src/main/deb/control").toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void shouldBeValidForTheShell() throws Exception
    {
        try (Stream<Path> files = Files.list(CONTROL))
        {
            final List<Path> scripts = files.filter(file -> !file.endsWith("control")).toList();
            assertThat(scripts).hasSize(4);
            for (final Path script : scripts)
            {
                // dpkg aborts when a script fails.
                assertThat(Files.readString(script)).startsWith("#!/bin/sh\n").contains("\nset -e\n");
                final Result result = Product.run(Map.of(), Path.of("/bin/sh"), "-n", script.toString());
                assertThat(result.exitCode()).as(result.output()).isZero();
            }
        }
    }

    private List<String> install(final boolean isUserPresent, final String... arguments) throws Exception
    {
        final PretendedPrograms programs = new PretendedPrograms(directory.resolve("bin"));
        final Path made = directory.resolve("made");
        Files.deleteIfExists(made);
        programs.add("getent", "#!/bin/sh\nexit " + (isUserPresent ? 0 : 2) + "\n");
        programs.add("adduser", "#!/bin/sh\necho \"$*\" >>" + made + "\n");
        final Result result = Product.run(programs.environment(), CONTROL.resolve("preinst"), arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return lines(made);
    }

    private static List<String> lines(final Path file) throws IOException
    {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @ParameterizedTest
    @ValueSource(strings = {"install", "upgrade"})
    void shouldCreateTheUserOnlyOnce(final String action) throws Exception
    {
        assertThat(install(false, action)).singleElement().asString().startsWith("--system --group ")
            .endsWith(" millrace");
        assertThat(install(true, action)).isEmpty();
    }

    @Test
    void shouldCreateNoUserWhenAnUpgradeIsUndone() throws Exception
    {
        assertThat(install(false, "abort-upgrade", "1.0")).isEmpty();
    }
}
