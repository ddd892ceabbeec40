package dev.millrace.command.project;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The difference of two versions of an application, and the effect of an update. */
@Tag("slow")
@Timeout(180)
class DiffCommandTest
{
    private static final int DIFFERENT = 3;
    private static final String SECOND = """
        <query id="rises"><![CDATA[
          select R.symbol, R.high, R.low from TradeStream MATCH_RECOGNIZE (
            partition by symbol measures A.symbol as symbol, A.price as high, B.price as low
            pattern (A B) define B as B.price > A.price) as R
        ]]></query>
        """;

    @TempDir
    private Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path before;
    private Path after;

    @BeforeEach
    void createTwoVersions()
    {
        System.setProperty("millrace.diff", "dev.millrace.cql.replay.OfflineComparer");
        before = project("before/prices");
        after = project("after/prices");
        out.getBuffer().setLength(0);
    }

    private Path project(final String name)
    {
        final Path project = directory.resolve(name);
        assertThat(run("app", "new", "--template", "no-java", "--directory", project.toString(), "prices")).isZero();
        return project;
    }

    private int run(final String... arguments)
    {
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    private int diff()
    {
        out.getBuffer().setLength(0);
        return run("app", "diff", before.toString(), after.toString());
    }

    private static void replace(final Path project, final String end, final String from, final String to)
        throws IOException
    {
        try (Stream<Path> files = Files.walk(project))
        {
            final Path file = files.filter(path -> path.toString().endsWith(end)).findFirst().orElseThrow();
            final String text = Files.readString(file);
            assertThat(text).contains(from);
            Files.writeString(file, text.replace(from, to));
        }
    }

    private Path packed(final Path project)
    {
        assertThat(run("app", "package", project.toString())).as("%s", err).isZero();
        return project.resolve(project.endsWith("market") ? "market.jar" : "prices.jar");
    }

    @Test
    void shouldReportNoDifferenceOfEqualVersionsInAnyForm()
    {
        assertThat(diff()).as("%s", err).isZero();
        assertThat(out).hasToString("no difference" + System.lineSeparator());

        final Path bundle = packed(before);
        assertThat(run("app", "diff", bundle.toString(), after.toString())).isZero();
        assertThat(run("app", "diff", bundle.toString(), packed(after).toString())).isZero();
    }

    @Test
    void shouldKeepTheStateOfQueriesWithTheSamePlanWhenOnlyRulesChange() throws Exception
    {
        replace(after, "wlevs/prices.xml", "</rules>", SECOND + "</rules>");
        replace(after, "wlevs/prices.xml", "A.price as high", "(A.price) as high");

        assertThat(diff()).as("%s", err).isEqualTo(DIFFERENT);

        assertThat(out.toString()).containsPattern("query +rules/falls +changed +keeps its state")
            .containsPattern("query +rules/rises +added +starts").contains("update: only rules change");
    }

    @Test
    void shouldNameTheStateThatAChangedAndARemovedQueryLose() throws Exception
    {
        replace(before, "wlevs/prices.xml", "</rules>", SECOND + "</rules>");
        replace(after, "wlevs/prices.xml", "{4}", "{3}");

        assertThat(diff()).isEqualTo(DIFFERENT);

        assertThat(out.toString()).containsPattern("query +rules/falls +changed +restarts, loses: pattern")
            .containsPattern("text: select .*A B\\{4}.* -> select .*A B\\{3}")
            .containsPattern("query +rules/rises +removed +stops, loses: pattern");
    }

    @Test
    void shouldKeepTheNetworkWhenAnAdapterChanges() throws Exception
    {
        replace(after, ".context.xml", "name=\"rate\" value=\"50\"", "name=\"rate\" value=\"80\"");

        assertThat(diff()).isEqualTo(DIFFERENT);

        assertThat(out.toString()).containsPattern("adapter +trades +changed").contains("property rate: 50 -> 80")
            .containsPattern("query +rules/falls +same +keeps its state").contains("update: channels and processors");
    }

    @Test
    void shouldLoseAllStateWhenAChannelIsAddedAndATypeChanges() throws Exception
    {
        replace(after, ".context.xml", "<wlevs:property name=\"price\" type=\"double\"/>",
            "<wlevs:property name=\"price\" type=\"double\"/><wlevs:property name=\"lot\" type=\"int\"/>");
        replace(after, ".context.xml", "<wlevs:adapter id=\"output\"",
            "<wlevs:channel id=\"more\" event-type=\"Trade\"><wlevs:listener ref=\"rules\"/></wlevs:channel>\n" +
                "<wlevs:adapter id=\"output\"");

        assertThat(diff()).isEqualTo(DIFFERENT);

        assertThat(out.toString()).containsPattern("event type +Trade +changed").contains("property lot: none -> ")
            .containsPattern("channel +more +added")
            .containsPattern("query +rules/falls +same +restarts, loses: pattern")
            .contains("update: a new network is created", "channel more is new", "channel TradeStream has a different");
    }

    @Test
    void shouldKeepTheStateOfDurableProcessorsInANewNetwork() throws Exception
    {
        for (final Path version : new Path[] {before, after})
        {
            replace(version, "wlevs/prices.xml", "<name>rules</name>", "<name>rules</name><durable>true</durable>");
        }
        replace(after, ".context.xml", "<wlevs:channel id=\"TradeStream\"",
            "<wlevs:channel id=\"TradeStream\" max-threads=\"1\"");

        assertThat(diff()).isEqualTo(DIFFERENT);

        assertThat(out.toString()).contains("max-threads: 0 -> 1", "a new network is created")
            .containsPattern("query +rules/falls +same +keeps its state");
    }

    @Test
    void shouldNotShowPasswords() throws Exception
    {
        replace(before, ".context.xml", "name=\"rate\" value=\"50\"", "name=\"password\" value=\"tiger1\"");
        replace(after, ".context.xml", "name=\"rate\" value=\"50\"", "name=\"password\" value=\"tiger2\"");

        assertThat(diff()).isEqualTo(DIFFERENT);

        assertThat(out.toString()).contains("property password: differs").doesNotContain("tiger");
    }

    @Test
    void shouldPrintJson() throws Exception
    {
        replace(after, "wlevs/prices.xml", "{4}", "{3}");

        assertThat(run("app", "diff", "--format", "json", before.toString(), after.toString())).isEqualTo(DIFFERENT);

        final JsonObject json = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertThat(json.get("application").getAsString()).isEqualTo("prices");
        assertThat(json.get("effect").getAsString()).isEqualTo("rules");
        final JsonElement query = json.getAsJsonArray("parts").get(0);
        assertThat(query.getAsJsonObject().get("id").getAsString()).isEqualTo("rules/falls");
        assertThat(query.getAsJsonObject().get("action").getAsString()).isEqualTo("RESTARTED");
        assertThat(query.getAsJsonObject().get("lostState").getAsString()).isEqualTo("pattern");
    }

    private Path domain() throws IOException
    {
        final Path domain = directory.resolve("domain");
        Files.createDirectories(domain.resolve("applications/prices"));
        Files.createDirectories(domain.resolve("config"));
        Files.createFile(domain.resolve("startwlevs.sh"));
        Files.writeString(domain.resolve("config/config.xml"), "<config><domain><name>d</name></domain></config>");
        return domain;
    }

    @Test
    void shouldFindEventTypesOfTheOtherApplicationOfADomain() throws Exception
    {
        final Path domain = domain();
        final Path market = directory.resolve("market");
        assertThat(run("app", "new", "--template", "no-java", "--directory", market.toString(), "market")).isZero();
        replace(before, ".context.xml", "event-type=\"Trade\"", "event-type=\"market:Trade\"");
        replace(after, ".context.xml", "event-type=\"Trade\"", "event-type=\"market:Trade\"");
        replace(after, "wlevs/prices.xml", "{4}", "{3}");
        Files.copy(packed(before), domain.resolve("applications/prices/prices.jar"));

        assertThat(run("app", "diff", "--domain", domain.toString(), packed(after).toString())).isPositive();
        assertThat(err.toString()).contains("EPN-1219", "event-type=market:Trade declared=[]");

        Files.createDirectories(domain.resolve("applications/market"));
        Files.copy(packed(market), domain.resolve("applications/market/market.jar"));
        out.getBuffer().setLength(0);
        assertThat(run("app", "diff", "--domain", domain.toString(), packed(after).toString())).as("%s", err)
            .isEqualTo(DIFFERENT);
        assertThat(out.toString()).containsPattern("query +rules/falls +changed");
    }

    @Test
    void shouldCompareWithTheApplicationOfADomainAndUseItsPlaceholders() throws Exception
    {
        final Path domain = domain();
        final Path folder = domain.resolve("applications/prices");
        replace(before, ".context.xml", "value=\"50\"", "value=\"${trades.rate}\"");
        replace(after, ".context.xml", "value=\"50\"", "value=\"${trades.rate}\"");
        Files.writeString(domain.resolve("config/prices.properties"), "trades.rate=7");
        Files.copy(packed(before), folder.resolve("prices.jar"));

        assertThat(run("app", "diff", "--domain", domain.toString(), packed(after).toString())).as("%s", err).isZero();

        replace(after, "wlevs/prices.xml", "{4}", "{3}");
        assertThat(run("app", "diff", "--domain", domain.toString(), packed(after).toString())).isEqualTo(DIFFERENT);
    }

    @Test
    void shouldRefuseWhatCannotBeCompared() throws Exception
    {
        assertThat(run("app", "diff", before.toString(), directory.resolve("none").toString())).isEqualTo(64);
        assertThat(err.toString()).contains("CMD-0268");

        assertThat(run("app", "diff", "--domain", directory.toString(), before.toString(), after.toString()))
            .isEqualTo(64);
        assertThat(err.toString()).contains("CMD-0277");

        replace(after, "wlevs/prices.xml", "<![CDATA[", "<![CDATA[ selec ");
        assertThat(diff()).isEqualTo(1);
        assertThat(err.toString()).containsPattern("META-INF/wlevs/prices.xml:\\d+:\\d+: CQL-");
    }
}
