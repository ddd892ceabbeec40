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

/** Two applications of an instance, of which one sends rows to a channel that the other one advertises. */
@Tag("slow")
@Timeout(180)
class ForeignListenerTest
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
          <wlevs:channel id="numbers" event-type="Number" listeners="watch.app:entry"/>
        """;

    private static final String ENTRY = """
          <wlevs:channel id="entry" event-type="Number" advertise="true" listeners="every"/>
          <wlevs:event-bean id="every" class="dev.millrace.server.fixture.app.Sequence"/>
        """;

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

    private long events()
    {
        return stage(WATCH, "every").getAsJsonObject("own").get("events").getAsLong();
    }

    private void awaitMore() throws Exception
    {
        final long before = events();
        instance.await("more rows cross", () -> events() > before + 2);
    }

    private void awaitState(final String state) throws Exception
    {
        instance.await("the sender is " + state, () -> instance.state(MARKET).equals(state));
    }

    @Test
    void shouldRefuseASenderUntilTheOtherApplicationAcceptsRows() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(bundle(MARKET, FEED));
        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains("EPN-1218", "no running application accepts rows at the channel",
            "channel=numbers listener=watch.app:entry accepting=[]", "install watch.app first");

        install(bundle(WATCH, ENTRY));
        install(bundle(MARKET, FEED));
        awaitMore();
        assertThat(stage(WATCH, "entry#listeners").getAsJsonObject("own").get("senders"))
            .hasToString("[\"market.app\"]");
    }

    @Test
    void shouldContinueWithTheNextVersionOfEachApplication() throws Exception
    {
        install(bundle(WATCH, ENTRY));
        install(bundle(MARKET, FEED));
        awaitMore();
        update(MARKET, FEED + "<bean id='list' class='java.util.ArrayList'/>");
        awaitMore();
        update(WATCH, ENTRY + "<bean id='list' class='java.util.ArrayList'/>");
        awaitMore();
        awaitState("RUNNING");
        assertThat(stage(MARKET, "watch.app:entry").get("rowsRejected").getAsLong()).isZero();
    }

    @Test
    void shouldBeDegradedAndCountRowsWhileTheOtherApplicationIsMissing() throws Exception
    {
        install(bundle(WATCH, ENTRY));
        install(bundle(MARKET, FEED));
        done("DELETE", WATCH);
        awaitState("DEGRADED");
        assertThat(call("GET", MARKET).text()).contains("EPN-0644", "stage=watch.app:entry");
        instance.await("rows are counted",
            () -> stage(MARKET, "watch.app:entry").get("rowsRejected").getAsLong() > 2);

        instance.close();
        instance = TestInstance.start(directory, TestInstance.FELIX);
        awaitState("DEGRADED");
        install(bundle(WATCH, ENTRY));
        awaitMore();
    }

    @Test
    void shouldCountRowsInTheSuspendedApplication() throws Exception
    {
        install(bundle(WATCH, ENTRY));
        install(bundle(MARKET, FEED));
        awaitMore();
        done("POST", WATCH + "/suspend");
        instance.await("rows are counted",
            () -> stage(WATCH, "entry#listeners").get("rowsRejected").getAsLong() > 2);
        assertThat(instance.state(MARKET)).isEqualTo("RUNNING");
        done("POST", WATCH + "/resume");
        awaitMore();
    }
}
