package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/first-application.md, from an empty directory to the first result. */
@Timeout(300)
class FirstApplicationIT
{
    private static final String PROMPT = "$ ";
    private static final String MILLRACE = "millrace ";

    @TempDir
    private static Path home;
    private static RunningInstance instance;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception
    {
        instance = new RunningInstance(home.resolve("domain"));
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    /** The commands of a section of the page. */
    private static List<String> commands(final String section) throws IOException
    {
        final String page = Files.readString(Product.HOME.directory().resolve("documents/docs/first-application.md"));
        final int begin = page.indexOf("```shell\n", page.indexOf("## " + section));
        return page.substring(begin, page.indexOf("\n```\n", begin)).lines().filter(line -> line.startsWith(PROMPT))
            .map(line -> line.substring(PROMPT.length())).toList();
    }

    private Result run(final String command) throws Exception
    {
        if (!command.startsWith(MILLRACE))
        {
            return maven(command + " -f hello/pom.xml");
        }
        final List<String> words = new ArrayList<>(List.of(command.substring(MILLRACE.length()).split(" ")));
        if (command.contains(" install ") || command.contains(" logs "))
        {
            words.addAll(List.of("--domain", instance.domain.directory().toString()));
        }
        if (command.contains("install-api"))
        {
            words.addAll(List.of("--repository", directory.resolve("repository").toString()));
        }
        return Product.runIn(directory, Map.of(), Product.HOME.directory().resolve("bin/millrace"),
            words.toArray(String[]::new));
    }

    /** Runs Maven without network: the local repository of the build serves as the remote one. */
    private Result maven(final String command) throws Exception
    {
        final Path settings = Files.writeString(directory.resolve("settings.xml"), """
            <settings>
              <mirrors><mirror><id>build</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors>
            </settings>
            """.formatted(Path.of(System.getProperty("millrace.repository")).toUri()));
        final List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("-B", "-q", "-ntp", "-s", settings.toString(),
            "-Dmaven.repo.local=" + directory.resolve("repository")));
        return Product.runIn(directory, Map.of("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"),
            Path.of(words.remove(0)), words.toArray(String[]::new));
    }

    private void shouldShow(final String section, final int mostCommands, final String expected) throws Exception
    {
        final List<String> commands = commands(section);
        assertThat(commands).hasSizeBetween(2, mostCommands);
        for (final String command : commands.subList(0, commands.size() - 1))
        {
            final Result result = run(command);
            assertThat(result.exitCode()).as("%s%n%s", command, result.output()).isZero();
        }
        final String last = commands.get(commands.size() - 1);
        String output = "";
        for (final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            System.nanoTime() < endNs && !output.contains(expected);)
        {
            output = run(last).output();
        }
        assertThat(output).contains(expected);
    }

    @Test
    void shouldRunAnApplicationWithoutJavaCode() throws Exception
    {
        shouldShow("Without Java code", 4, "{\"symbol\":\"");
    }

    @Test
    void shouldBuildAndRunAnApplicationWithJavaCode() throws Exception
    {
        shouldShow("With Java code", 5, " fell by ");
        assertThat(directory.resolve("repository/dev/millrace/millrace-api")).isDirectoryRecursivelyContaining(
            path -> path.getFileName().toString().endsWith("-javadoc.jar"));
        assertThat(Files.readString(directory.resolve("hello/target/surefire-reports/com.example.hello.FallsTest.txt")))
            .contains("Tests run: 2, Failures: 0, Errors: 0");
    }

    private static Map<String, String> files(final Path root) throws IOException
    {
        final Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(root))
        {
            for (final Path file : found.filter(Files::isRegularFile).toList())
            {
                files.put(root.relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }

    @Test
    void shouldCreateTheSameProjectFromTheArchetype() throws Exception
    {
        assertThat(run("millrace install-api").exitCode()).isZero();
        assertThat(run("millrace app new --directory expected hello").exitCode()).isZero();
        final String command = commands("From an archetype").get(0);

        final String plugin = "org.apache.maven.plugins:maven-archetype-plugin:" +
            System.getProperty("archetype.version");
        final Result created = maven(command.replace("archetype:", plugin + ':'));

        assertThat(created.exitCode()).as(created.output()).isZero();
        assertThat(files(directory.resolve("hello"))).isEqualTo(files(directory.resolve("expected")))
            .hasSizeGreaterThan(5);
    }

    @Test
    void shouldPredictTheEffectOfAnUpdate() throws Exception
    {
        assertThat(run("millrace app new falls --template no-java").exitCode()).isZero();
        assertThat(run("millrace app package falls").exitCode()).isZero();
        assertThat(run("millrace app install falls/falls.jar").exitCode()).isZero();
        final String domain = " --domain " + instance.domain.directory();
        assertThat(run("millrace app diff falls" + domain).output()).contains("no difference");

        final Path rules = directory.resolve("falls/src/main/resources/META-INF/wlevs/falls.xml");
        Files.writeString(rules, Files.readString(rules).replace("{4}", "{3}"));
        assertThat(run("millrace app package falls").exitCode()).isZero();
        final Result predicted = run("millrace app diff falls/falls.jar" + domain);
        final Result update = run("millrace app update falls/falls.jar" + domain);

        assertThat(predicted.exitCode()).as(predicted.output()).isEqualTo(3);
        assertThat(predicted.output()).containsPattern("rules/falls +changed +restarts, loses: pattern")
            .contains("only rules change");
        assertThat(update.output()).containsPattern("falls +restarted, lost: pattern")
            .contains("only rules have changed");
        assertThat(run("millrace app diff falls" + domain).exitCode()).isZero();
    }

    @Test
    void shouldRefuseWhatIsNoProject() throws Exception
    {
        Files.createDirectories(directory.resolve("java/src/main/java"));
        Files.createDirectories(directory.resolve("empty"));
        assertThat(run("millrace app package java").output()).contains("CMD-0263", "mvn package");
        assertThat(run("millrace app package empty").output()).contains("CMD-0264", "META-INF/spring");
        assertThat(run("millrace app package absent").output()).contains("CMD-0265");
        assertThat(run("millrace app package --bundle-version one empty").output()).contains("CMD-0266");
        assertThat(run("millrace app new empty").exitCode()).isZero();
        assertThat(run("millrace app new empty").output()).contains("CMD-0262", "--directory");
        assertThat(run("millrace app new --package java.lang other").output()).contains("CMD-0261");
        assertThat(run("millrace app new 1st").output()).contains("CMD-0260");
        assertThat(run("millrace app new --template none other").exitCode()).isEqualTo(64);
    }
}
