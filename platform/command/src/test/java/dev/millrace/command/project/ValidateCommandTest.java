package dev.millrace.command.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Validation of applications without a server. */
@Timeout(60)
class ValidateCommandTest
{
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

    private Path project(final String template)
    {
        final Path project = directory.resolve("prices");
        assertThat(run("app", "new", "--template", template, "--directory", project.toString(), "prices")).isZero();
        return project;
    }

    private static Path file(final Path project, final String end) throws IOException
    {
        try (Stream<Path> files = Files.walk(project))
        {
            return files.filter(path -> path.toString().endsWith(end)).findFirst().orElseThrow();
        }
    }

    private static void replace(final Path file, final String from, final String to) throws IOException
    {
        final String text = Files.readString(file);
        assertThat(text).contains(from);
        Files.writeString(file, text.replace(from, to));
    }

    @Test
    void shouldSummarizeAValidProjectAndItsBundle()
    {
        final Path project = project("no-java");

        assertThat(run("app", "validate", project.toString())).as("%s", err).isZero();
        assertThat(run("app", "package", project.toString())).isZero();
        assertThat(run("app", "validate", project.resolve("prices.jar").toString())).as("%s", err).isZero();

        assertThat(out.toString().lines().filter(line -> line.startsWith("prices is valid: adapters and beans 2, ")))
            .hasSize(2).allMatch(line -> line.matches(".*, channels \\d+, processors 1, rules [1-9]"));
    }

    @Test
    void shouldReportTheProblemsOfRulesWithTheirPositions() throws Exception
    {
        final Path project = project("no-java");
        replace(file(project, "wlevs/prices.xml"), "<![CDATA[", "<![CDATA[ selec ");

        assertThat(run("app", "validate", project.toString())).isEqualTo(1);

        assertThat(err.toString()).containsPattern("META-INF/wlevs/prices.xml:\\d+:\\d+: CQL-").contains("selec")
            .containsPattern("\\d+ problem");
    }

    @Test
    void shouldReportAnUnknownListener() throws Exception
    {
        final Path project = project("no-java");
        replace(file(project, ".context.xml"), "<wlevs:listener ref=\"", "<wlevs:listener ref=\"un");

        assertThat(run("app", "validate", project.toString())).isEqualTo(1);

        assertThat(err.toString()).containsPattern("META-INF/spring/.*context.xml:\\d+:\\d+: EPN-");
    }

    @Test
    void shouldAcceptAStageOfAnotherApplicationWithANote() throws Exception
    {
        final Path project = project("no-java");
        final Path assembly = file(project, ".context.xml");
        replace(assembly, "<wlevs:channel id=\"TradeStream\"",
            "<wlevs:channel id=\"TradeStream\" source=\"market:prices\" advertise=\"true\"");

        assertThat(run("app", "validate", project.toString())).as("%s", err).isZero();

        assertThat(out.toString()).containsPattern("warning: META-INF/spring/.*context.xml:\\d+:\\d+: EPN-1217: the " +
            "stage of another application is checked when the application is deployed").contains("source=market:prices",
            "prices is valid: adapters and beans 3,");
    }

    @Test
    void shouldLeaveOutRulesThatNeedAnEventTypeOfAnotherApplicationWithANote() throws Exception
    {
        final Path project = project("no-java");
        replace(file(project, ".context.xml"), "event-type=\"Trade\"", "event-type=\"market:Trade\"");

        assertThat(run("app", "validate", project.toString())).as("%s", err).isZero();

        assertThat(out.toString()).containsPattern("warning: META-INF/spring/.*context.xml:\\d+:\\d+: EPN-1217: the " +
            "event type of another application is known when the application is deployed")
            .contains("channel=TradeStream event-type=market:Trade unchecked=[rules]",
                "prices is valid: adapters and beans 2, channels 1, processors 0, rules 0");
    }

    @Test
    void shouldReportAMissingClassOfAPlainBean() throws Exception
    {
        final Path project = project("no-java");
        replace(file(project, ".context.xml"), "</beans>",
            "  <bean id=\"limits\" class=\"none.such.Limits\"/>\n</beans>");

        assertThat(run("app", "validate", project.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("EPN-1212", "class=none.such.Limits", "bean=limits");
    }

    @Test
    void shouldAskForCompilationOfAProjectWithJavaCode()
    {
        final Path project = project("hello");

        assertThat(run("app", "validate", project.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("CMD-0270", "mvn compile");
    }

    @Test
    void shouldRefuseWhatIsNoApplication() throws Exception
    {
        assertThat(run("app", "validate", directory.resolve("none").toString())).isEqualTo(64);
        assertThat(err.toString()).contains("CMD-0268");

        assertThat(run("app", "validate", directory.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("CMD-0269", "META-INF/spring");

        final Path text = Files.writeString(directory.resolve("text.jar"), "no jar");
        assertThat(run("app", "validate", text.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("CMD-0240", "text.jar");
    }
}
