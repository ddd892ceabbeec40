package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The parts of the Debian package that need no package, which {@code PackagesIT} needs: the paths in the pom, and the
 * scripts, as far as they would not change this machine.
 */
@Timeout(300)
class DebianPartsIT
{
    private static final String INSTALLED = "/opt/millrace/";
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

    private static List<String> values(final String element) throws IOException
    {
        final String pom = Files.readString(Path.of("pom.xml"));
        final String plugin = pom.substring(pom.indexOf("<artifactId>jdeb</artifactId>"));
        return Pattern.compile("<" + element + ">([^<]+)</" + element + ">").matcher(plugin).results()
            .map(found -> found.group(1)).toList();
    }

    @Test
    void shouldLinkToFilesOfTheHome() throws IOException
    {
        assertThat(values("linkTarget")).hasSize(3).allSatisfy(target ->
            assertThat(Product.HOME.directory().resolve(target.substring(INSTALLED.length()))).isRegularFile());
    }

    @Test
    void shouldContainFilesOfTheSources() throws IOException
    {
        final String base = "${project.basedir}/";
        assertThat(values("src").stream().filter(file -> file.startsWith(base))).hasSize(2)
            .allSatisfy(file -> assertThat(Path.of(file.substring(base.length()))).isRegularFile());
    }

    @Test
    void shouldOwnDomainsAndKeepTheirConfiguration() throws IOException
    {
        final List<String> patterns = values("includes").stream().flatMap(list -> Stream.of(list.split(","))).toList();
        assertThat(patterns).hasSize(3);
        try (Stream<Path> files = Files.walk(Product.HOME.domains().resolve("defaultserver")))
        {
            final List<Path> all = files.filter(Files::isRegularFile)
                .map(Product.HOME.directory().getParent()::relativize).toList();
            assertThat(patterns).allSatisfy(pattern -> assertThat(all).anyMatch(
                FileSystems.getDefault().getPathMatcher("glob:" + pattern)::matches));
        }
    }

    @Test
    void shouldCreateNoUserWhenAnUpgradeIsUndone() throws Exception
    {
        assertThat(install(false, "abort-upgrade", "1.0")).isEmpty();
    }
}
