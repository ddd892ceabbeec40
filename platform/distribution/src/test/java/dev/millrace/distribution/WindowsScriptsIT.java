package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The batch files start the same Java command as the shell scripts, in a small home. */
@Timeout(300)
class WindowsScriptsIT
{
    private static final Path SCRIPTS = Path.of("src/main/home");
    private static final Path DOMAINS = Path.of("../../domains");
    private static final List<String> JARS = List.of("bundles/20-spring/millrace-spring-1/lib/spring.jar",
        "bundles/20-spring/millrace-spring-1/spring.jar", "bundles/20-spring/millrace-spring-1/other.jar",
        "bundles/30-platform/millrace-assembly-1.jar", "bundles/30-platform/millrace-network-1.jar",
        "lib/jcl-over-slf4j-2.jar", "maven/org/slf4j/slf4j-simple/2/slf4j-simple-2.jar");
    /** The options of a batch file, which has neither an archive of classes nor a way to detect a terminal. */
    private static final Pattern ARCHIVE = Pattern.compile("-XX:(ArchiveClassesAtExit|SharedArchiveFile)=.*");

    @TempDir
    private Path directory;

    private Path home;
    private Path domain;

    @BeforeEach
    void makeHome() throws IOException
    {
        home = directory.toRealPath().resolve("home");
        copy(SCRIPTS, home);
        copy(DOMAINS, home.resolve("user_projects/domains"));
        domain = home.resolve("user_projects/domains/defaultserver");
        for (final String jar : JARS)
        {
            Files.createDirectories(home.resolve(jar).getParent());
            Files.createFile(home.resolve(jar));
        }
        // Prints its arguments instead of running them.
        final Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : files.toList())
            {
                final Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file))
                {
                    Files.createDirectories(copy);
                }
                else
                {
                    Files.copy(file, copy);
                    assertThat(copy.toFile().setExecutable(true)).isTrue();
                }
            }
        }
    }

    private List<String> shell(final Path script, final String... arguments) throws Exception
    {
        final Result result = Product.run(Map.of("JAVA_HOME", directory.resolve("jdk").toString(), "MILLRACE_OPTS",
            "-Done=1 -Dtwo=2", "MILLRACE_SOURCES", ""), script, arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output().lines().map(line -> ARCHIVE.matcher(line).matches() ? "-Xshare:auto" : line).toList();
    }

    private List<String> batch(final Path script, final String... arguments) throws IOException
    {
        final Map<String, String> environment = new HashMap<>();
        environment.put("java", directory.resolve("jdk/bin/java").toString());
        environment.put("java_major", "25");
        environment.put("MILLRACE_OPTS", "-Done=1 -Dtwo=2");
        final List<String> words = new ArrayList<>();
        for (final String word : new BatchFile(script, environment, arguments).javaCommand())
        {
            // A drive letter would contain a colon; the files of this test have none.
            words.add(word.startsWith(home + "/lib/") ? word.replace(';', ':') : word);
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "app list --user ada", "app run a.jar", "app validate a.jar", "app diff a.jar",
        "replay --from 0", "bench engine --json x", "bench kit", "bench start", "cql run x.cql", "journal list", "demo",
        "domain status --all"})
    void shouldRunTheSameCommandLine(final String line) throws Exception
    {
        final String[] words = line.split(" ");
        assertThat(batch(home.resolve("bin/millrace.cmd"), words))
            .isEqualTo(shell(home.resolve("bin/millrace"), words));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-Dloadgen.port=9101", "-Da=b -Xmx1g"})
    void shouldStartInstancesByTheSameCommand(final String line) throws Exception
    {
        final String[] words = line.isEmpty() ? new String[0] : line.split(" ");
        assertThat(batch(domain.resolve("startwlevs.cmd"), words))
            .isEqualTo(shell(domain.resolve("startwlevs.sh"), words));
    }

    @Test
    void shouldReadPortsAndHomeFromTheShellScript() throws Exception
    {
        final Path script = domain.resolve("startwlevs.sh");
        Files.writeString(script, Files.readString(script).replace("loadgen.port=9001", "loadgen.port=9301")
            .replace("WLEVS_HOME:-../../..", "WLEVS_HOME:-" + home));
        assertThat(batch(domain.resolve("startwlevs.cmd"))).contains("-Dloadgen.port=9301", "-Dwlevs.home=" + home)
            .isEqualTo(shell(script));
    }

    @Test
    void shouldRefuseThePortsThatTheShellScriptRefuses() throws Exception
    {
        final List<Pattern> refused = Pattern.compile("/c:\"((?:\\\\\"|[^\"])*)\"")
            .matcher(Files.readString(domain.resolve("startwlevs.cmd"))).results()
            .map(found -> Pattern.compile(found.group(1).replace("\\\"", "\""))).toList();
        assertThat(refused).hasSize(9);
        for (final String value : List.of("=1", "=0", "=9001", "=65535", "=59999", "al=a", "=", "", "=x", "=12x", "=-1",
            "=65536", "=65540", "=65600", "=66000", "=70000", "=99999", "=123456"))
        {
            final String option = "-Dx.port" + value;
            final Result shell = Product.run(Map.of("JAVA_HOME", directory.resolve("jdk").toString()),
                domain.resolve("startwlevs.sh"), "-dryrun", option);
            // The command "echo" of the batch file adds a blank.
            assertThat(refused.stream().anyMatch(each -> each.matcher(option + " ").find())).as(option)
                .isEqualTo(shell.output().startsWith("CMD-0014"));
        }
    }

    @Test
    void shouldReportWithCodesOfTheShellScripts() throws IOException
    {
        assertThat(codes(domain.resolve("startwlevs.cmd"))).isSubsetOf(
            codes(domain.resolve("startwlevs.sh"), home.resolve("bin/processor-set.sh"))).hasSizeGreaterThan(4);
        assertThat(codes(home.resolve("bin/find-java.cmd"))).isEqualTo(codes(home.resolve("bin/find-java.sh")));
        assertThat(codes(domain.resolve("stopwlevs.cmd"))).isEqualTo(codes(domain.resolve("stopwlevs.sh")));
    }

    private static TreeSet<String> codes(final Path... files) throws IOException
    {
        final TreeSet<String> codes = new TreeSet<>();
        for (final Path file : files)
        {
            Pattern.compile("CMD-\\d{4}").matcher(Files.readString(file)).results()
                .forEach(found -> codes.add(found.group()));
        }
        return codes;
    }
}
