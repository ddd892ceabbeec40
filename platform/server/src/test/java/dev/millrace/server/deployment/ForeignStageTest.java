package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
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

/** Two applications of an instance, of which one takes rows of a channel that the other one advertises. */
@Tag("slow")
@Timeout(180)
class ForeignStageTest
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
          <wlevs:channel id="taken" event-type="Number" source="market.app:numbers" listeners="every"/>
          <wlevs:event-bean id="every" class="dev.millrace.server.fixture.app.Sequence"/>
        """;

    private static final String ONE_MORE = "<bean id='list' class='java.util.ArrayList'/>";

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

    private static BundleJar bundle(final String name, final String content)
    {
        return Apps.context(name, TYPE + content).classes(NumberFeed.class, Sequence.class)
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage;version=\"[1.0,2)\"");
    }

    private TestInstance.Answer call(final String method, final String path) throws Exception
    {
        return instance.request(method, "/wlevs/apps/" + path, new byte[0]);
    }

    private void install(final BundleJar bundle) throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(bundle);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    private void installBoth() throws Exception
    {
        install(bundle(MARKET, FEED));
        install(bundle(WATCH, TAKEN));
        awaitMore();
    }

    private void update(final String name, final String content) throws Exception
    {
        final TestInstance.Answer answer =
            instance.request("PUT", "/wlevs/apps/" + name, bundle(name, content).version("2.0.0").bytes());
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private void done(final String method, final String path) throws Exception
    {
        final TestInstance.Answer answer = call(method, path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private void refused(final BundleJar bundle, final String... words) throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(bundle);
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains(words);
    }

    private JsonObject stage(final String application, final String id)
    {
        try
        {
            final JsonElement statistics = call("GET", application + "/statistics").body();
            for (final JsonElement stage : statistics.getAsJsonObject().getAsJsonArray("stages"))
            {
                if (stage.getAsJsonObject().get("id").getAsString().equals(id))
                {
                    return stage.getAsJsonObject();
                }
            }
            throw new AssertionError("no stage " + id + " in " + statistics);
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }

    private long figure(final String name)
    {
        return stage(WATCH, "every").getAsJsonObject("own").get(name).getAsLong();
    }

    private void awaitMore() throws Exception
    {
        final long before = figure("events");
        instance.await("more rows cross", () -> figure("events") > before + 2);
    }

    private void awaitState(final String state) throws Exception
    {
        instance.await("consumer is " + state, () -> instance.state(WATCH).equals(state));
    }

    @Test
    void shouldRefuseStagesThatAreNotAdvertisedOrHaveAnotherType() throws Exception
    {
        refused(bundle(WATCH, TAKEN), "EPN-1218", "META-INF/spring/app.xml:8:57", "no running application advertises",
            "channel=taken source=market.app:numbers advertised=[]", "install market.app first");

        install(bundle(MARKET, FEED));
        refused(bundle(WATCH, TAKEN.replace(":numbers", ":names")), "EPN-1218",
            "source=market.app:names advertised=[market.app:numbers]", "add advertise");
        refused(Apps.context(WATCH, TYPE.replace("bigint", "int") + TAKEN).classes(Sequence.class)
            .header("Import-Package", "dev.millrace.api.stage"), "EPN-1218", "properties=[number]",
            "type=Number[number bigint, name char] expected=Number[number int, name char]");
        refused(bundle("third.app", TAKEN.replace("market.app", "third.app")), "EPN-1218",
            "belongs to this application", "write its id only: numbers");
    }

    @Test
    void shouldPassRowsAndSuspendEachApplicationByItself() throws Exception
    {
        installBoth();
        assertThat(figure("first")).as("the producer ran before").isPositive();
        assertThat(stage(MARKET, "numbers#advertised").getAsJsonObject("own").get("subscribers"))
            .hasToString("[\"watch.app\"]");

        done("POST", MARKET + "/suspend");
        assertThat(instance.state(WATCH)).isEqualTo("RUNNING");
        done("POST", MARKET + "/resume");
        awaitMore();
        assertThat(figure("gaps")).isZero();

        done("POST", WATCH + "/suspend");
        final JsonObject foreign = stage(WATCH, "market.app:numbers");
        instance.await("rows are counted", () -> stage(WATCH, "market.app:numbers").get("rowsRejected").getAsLong() >
            foreign.get("rowsRejected").getAsLong());
        done("POST", WATCH + "/resume");
        awaitMore();
        assertThat(figure("gaps")).isEqualTo(1);
        assertThat(instance.state(MARKET)).isEqualTo("RUNNING");
    }

    @Test
    void shouldContinueWithTheNextVersionOfEachApplication() throws Exception
    {
        installBoth();
        final long first = figure("first");
        final long events = figure("events");
        update(MARKET, FEED + ONE_MORE);
        awaitMore();
        assertThat(figure("first")).as("the consumer was not created again").isEqualTo(first);
        assertThat(figure("events")).isGreaterThan(events);
        awaitState("RUNNING");

        update(WATCH, TAKEN + ONE_MORE);
        awaitMore();
        awaitState("RUNNING");
    }

    @Test
    void shouldBeDegradedWhileTheStageIsMissing() throws Exception
    {
        installBoth();
        update(MARKET, FEED.replace(" advertise=\"true\"", ""));
        awaitState("DEGRADED");
        assertThat(call("GET", WATCH).text()).contains("EPN-0644", "stage=market.app:numbers");

        update(MARKET, FEED);
        awaitState("RUNNING");
        awaitMore();

        done("DELETE", MARKET);
        awaitState("DEGRADED");
        install(bundle(MARKET, FEED));
        awaitState("RUNNING");
        awaitMore();
    }

    @Test
    void shouldStartInAnyOrderWithTheInstance() throws Exception
    {
        installBoth();
        instance.close();
        instance = TestInstance.start(directory, TestInstance.FELIX);
        awaitState("RUNNING");
        awaitMore();

        done("DELETE", MARKET);
        instance.close();
        instance = TestInstance.start(directory, TestInstance.FELIX);
        awaitState("DEGRADED");
        install(bundle(MARKET, FEED));
        awaitState("RUNNING");
        awaitMore();
    }

    @Test
    void shouldRefuseApplicationsThatTakeRowsOfEachOther() throws Exception
    {
        installBoth();
        update(WATCH, TAKEN.replace("id=\"taken\"", "id=\"taken\" advertise=\"true\""));
        final TestInstance.Answer answer = instance.request("PUT", "/wlevs/apps/" + MARKET, bundle(MARKET, FEED +
            "<wlevs:channel id=\"back\" event-type=\"Number\" source=\"watch.app:taken\"/>").version("3.0.0").bytes());

        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains("EPN-1218", "cycle=market.app <- watch.app <- market.app");
        awaitMore();
    }
}
