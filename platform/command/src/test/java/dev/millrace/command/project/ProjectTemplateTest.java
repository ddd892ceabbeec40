package dev.millrace.command.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import dev.millrace.command.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** New projects are valid, compile without warnings, and pass their own tests. */
@Tag("slow")
@Timeout(120)
class ProjectTemplateTest
{
    private static final String ALL = "csv,file,jdbc,jms,kafka,mqtt,parquet,pubsub,rest,socket";

    @TempDir
    private Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void nameTheValidator()
    {
        System.setProperty("millrace.validate", "dev.millrace.cql.replay.OfflineValidator");
    }

    private int run(final String... arguments)
    {
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    private static List<Path> files(final Path root, final String end) throws Exception
    {
        if (!Files.exists(root))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root))
        {
            return files.filter(file -> file.toString().endsWith(end)).toList();
        }
    }

    private void compile(final List<Path> sources, final Path classes, final Path classPath) throws Exception
    {
        Files.createDirectories(classes);
        if (sources.isEmpty())
        {
            return;
        }
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null))
        {
            final List<String> options = List.of("--release", "17", "-Xlint:all,-processing", "-Werror", "-proc:none",
                "-d", classes.toString(), "-cp",
                classPath + System.getProperty("path.separator") + System.getProperty("java.class.path"));
            assertThat(compiler.getTask(err, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources))
                .call()).as("%s", err).isTrue();
        }
    }

    /** Runs the tests of a project in this process. */
    private static TestExecutionSummary test(final Path project) throws Exception
    {
        final List<URL> urls = new ArrayList<>();
        for (final String root : List.of("target/test-classes", "target/classes", "src/main/resources"))
        {
            urls.add(project.resolve(root).toUri().toURL());
        }
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), before))
        {
            thread.setContextClassLoader(loader);
            final SummaryGeneratingListener summary = new SummaryGeneratingListener();
            LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClasspathRoots(Set.of(project.resolve("target/test-classes")))).build(), summary);
            return summary.getSummary();
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"hello, 3", "adapter, 4", "pattern, 4", "cache, 3"})
    void shouldCreateAProjectThatIsValidAndPassesItsTests(final String template, final int tests) throws Exception
    {
        checkProject(template, tests);
    }

    @ParameterizedTest
    @CsvSource({"hello, 3", "adapter, 4", "pattern, 4", "cache, 3"})
    void shouldCreateAProjectWithAllAdaptersThatPassesTheSameTests(final String template, final int tests)
        throws Exception
    {
        checkProject(template, tests, "--adapters", ALL);
    }

    private void checkProject(final String template, final int tests, final String... options) throws Exception
    {
        final Path project = directory.resolve("my-app");
        final List<String> command = new ArrayList<>(List.of("app", "new", "--template", template, "--directory",
            project.toString(), "my-app"));
        command.addAll(List.of(options));
        assertThat(run(command.toArray(String[]::new))).as("%s", err).isZero();
        assertThat(project.resolve("bnd.bnd")).hasContent("Bundle-SymbolicName: my-app");
        for (final Path file : files(project, ""))
        {
            if (Files.isRegularFile(file))
            {
                assertThat(Files.readString(file)).as("%s", file)
                    .doesNotContainPattern("@(name|package|version|type|channel)@");
            }
        }

        final Path classes = project.resolve("target/classes");
        compile(files(project.resolve("src/main/java"), ".java"), classes, classes);
        compile(files(project.resolve("src/test/java"), ".java"), project.resolve("target/test-classes"), classes);
        assertThat(run("app", "validate", project.toString())).as("%s", err).isZero();
        assertThat(out.toString()).contains("my-app is valid").doesNotContain("warning");

        final TestExecutionSummary summary = test(project);
        assertThat(summary.getFailures()).as(template)
            .extracting(failure -> failure.getTestIdentifier().getDisplayName() + ": " + failure.getException())
            .isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(tests);
    }

    @Test
    void shouldConnectAdaptersToTheChannelsOfTheTemplate() throws Exception
    {
        final Path project = directory.resolve("logins");

        assertThat(run("app", "new", "--template", "pattern", "--adapters", "kafka,socket", "--directory",
            project.toString(), "logins")).as("%s", err).isZero();

        final String network =
            Files.readString(project.resolve("src/main/resources/META-INF/spring/logins.context.xml"));
        assertThat(network).doesNotContain("generator").contains("kafka, socket -> LoginStream -> rules")
            .containsPattern("(?s)id=\"LoginFromKafka\" provider=\"kafka-inbound\">.*topics\" value=\"Login\".*" +
                "<wlevs:listener ref=\"LoginStream\"/>.*id=\"LoginFromSocket\".*<wlevs:channel id=\"LoginStream\"")
            .contains("<wlevs:channel id=\"AttackStream\" event-type=\"Attack\">\n" +
                "    <wlevs:listener ref=\"output\"/>\n    <wlevs:listener ref=\"AttackToKafka\"/>\n")
            .containsPattern("(?s)id=\"GivenUpToKafka\" provider=\"kafka-outbound\">[^$]*\\$\\{kafka.servers:.*" +
                "topic\" value=\"GivenUp\".*</wlevs:adapter>\n</beans>");
        assertThat(project.resolve("README.md")).content().doesNotContain("generated")
            .contains("| `LoginFromSocket` | accepts", "| `AttackToKafka` | writes to the topic `Attack` of",
                "`config/logins.properties`");
    }

    @Test
    void shouldNameTheFirstGivenSourceInTheExample() throws Exception
    {
        final Path project = directory.resolve("falls");

        assertThat(run("app", "new", "--template", "no-java", "--adapters", "mqtt,csv", "--directory",
            project.toString(), "falls")).as("%s", err).isZero();

        assertThat(project.resolve("README.md")).content().contains("--input TradeFromMqtt=trades.csv");
    }

    @Test
    void shouldListTheAdaptersIfOneIsUnknown()
    {
        assertThat(run("app", "new", "--adapters", "carrier-pigeon", "prices")).isEqualTo(64);

        assertThat(err.toString()).contains("carrier-pigeon", "kafka");
    }
}
