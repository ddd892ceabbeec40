package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.NumberFeed;
import dev.millrace.server.fixture.app.Sequence;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two applications of an instance, of which one has channels with event types that the other one declares. */
@Tag("slow")
@Timeout(180)
class ForeignTypeTest
{
    private static final String MARKET = "market.app";

    private static final String WATCH = "watch.app";

    private static final String TYPE = """
          <wlevs:event-type-repository><wlevs:event-type type-name="Number"><wlevs:properties type="map">
            <wlevs:property name="number" type="bigint"/><wlevs:property name="name" type="char"/>
          </wlevs:properties></wlevs:event-type></wlevs:event-type-repository>
        """;

    private static final String FEED = """
          <wlevs:adapter id="feed" class="dev.millrace.server.fixture.app.NumberFeed" listeners="numbers"/>
          <wlevs:channel id="numbers" event-type="Number" advertise="true"/>
        """;

    private static final String TAKEN = """
          <wlevs:channel id="taken" event-type="market.app:Number" source="market.app:numbers" listeners="every"/>
          <wlevs:event-bean id="every" class="dev.millrace.server.fixture.app.Sequence"/>
        """;

    private static final String WIDER = TYPE.replace("</wlevs:properties>",
        "<wlevs:property name=\"more\" type=\"int\"/></wlevs:properties>");

    @TempDir
    private Path directory;

    private TestInstance instance;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private void startAgain() throws Exception
    {
        instance.close();
        instance = TestInstance.start(directory, TestInstance.FELIX);
    }

    private static BundleJar bundle(final String name, final String content)
    {
        return Apps.context(name, content).classes(NumberFeed.class, Sequence.class)
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage;version=\"[1.0,2)\"");
    }

    private String install(final String name, final String content, final int status) throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(bundle(name, content));
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        return answer.text();
    }

    private String update(final String name, final String version, final String content) throws Exception
    {
        final TestInstance.Answer answer = instance.request(
            "PUT", "/wlevs/apps/" + name, bundle(name, content).version(version).bytes());
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }

    private void uninstall(final String name) throws Exception
    {
        final TestInstance.Answer answer = instance.request("DELETE", "/wlevs/apps/" + name, new byte[0]);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private long events()
    {
        try
        {
            final JsonElement statistics =
                instance.request("GET", "/wlevs/apps/" + WATCH + "/statistics", new byte[0]).body();
            for (final JsonElement stage : statistics.getAsJsonObject().getAsJsonArray("stages"))
            {
                if (stage.getAsJsonObject().get("id").getAsString().equals("every"))
                {
                    return stage.getAsJsonObject().getAsJsonObject("own").get("events").getAsLong();
                }
            }
            throw new AssertionError("no stage in " + statistics);
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }

    private void awaitMore() throws Exception
    {
        final long before = events();
        instance.await("more rows cross", () -> events() > before + 2);
    }

    private void awaitState(final String name, final String state) throws Exception
    {
        instance.await(name + " is " + state, () -> instance.state(name).equals(state));
    }

    @Test
    void shouldRefuseTypesThatAreNotDeclared() throws Exception
    {
        assertThat(install(WATCH, TAKEN, 422)).contains("EPN-1219", "META-INF/spring/app.xml:5:41",
            "channel=taken event-type=market.app:Number declared=[]", "install market.app first");
        install(MARKET, TYPE + FEED, 201);
        assertThat(install(WATCH, TAKEN.replace("app:Number", "app:Price"), 422)).contains("EPN-1219",
            "declared=[market.app:Number]", "name one of those");
        install(WATCH, TAKEN, 201);
        awaitMore();
    }

    @Test
    void shouldWaitForTheTypeWhenTheInstanceStartsAndTheOtherApplicationIsMissing() throws Exception
    {
        install(MARKET, TYPE + FEED, 201);
        install(WATCH, TAKEN, 201);
        startAgain();
        assertThat(instance.state(WATCH)).isEqualTo("RUNNING");
        awaitMore();

        uninstall(MARKET);
        awaitState(WATCH, "DEGRADED");
        startAgain();
        assertThat(instance.state(WATCH)).as("does not delay the start of the server").isEqualTo("WAITING");
        assertThat(instance.request("GET", "/wlevs/apps/" + WATCH, new byte[0]).text())
            .contains("event type market.app:Number");
        install(MARKET, TYPE + FEED, 201);
        awaitState(WATCH, "RUNNING");
        awaitMore();
    }

    @Test
    void shouldContinueWithItsCopyUntilItIsUpdated() throws Exception
    {
        install(MARKET, TYPE + FEED, 201);
        install(WATCH, TAKEN, 201);
        assertThat(update(MARKET, "2.0.0", WIDER + FEED)).contains("application watch.app continues with the earlier " +
            "event type market.app:Number[number bigint, name char]; the type is now " +
            "market.app:Number[number bigint, name char, more int]: update watch.app");
        awaitMore();
        awaitState(WATCH, "RUNNING");

        assertThat(update(WATCH, "2.0.0", TAKEN)).as("a new copy is a change").doesNotContain("only rules");
        awaitMore();
        assertThat(update(MARKET, "3.0.0", WIDER + FEED + "<bean id='list' class='java.util.ArrayList'/>"))
            .doesNotContain("continues with");
    }

    @Test
    void shouldStartAgainWhenApplicationsUseTypesOfEachOther() throws Exception
    {
        install(MARKET, TYPE + FEED, 201);
        install(WATCH, TYPE.replace("Number", "Note") + TAKEN, 201);
        update(MARKET, "2.0.0", TYPE + FEED + "<wlevs:channel id=\"notes\" event-type=\"watch.app:Note\"/>\n");
        startAgain();
        awaitState(MARKET, "RUNNING");
        awaitState(WATCH, "RUNNING");
        awaitMore();
    }
}
