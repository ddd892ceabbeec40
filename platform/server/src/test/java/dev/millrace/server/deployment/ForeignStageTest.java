package dev.millrace.server.deployment;

import static dev.millrace.server.deployment.TwoApplications.MARKET;
import static dev.millrace.server.deployment.TwoApplications.ONE_MORE;
import static dev.millrace.server.deployment.TwoApplications.TYPE;
import static dev.millrace.server.deployment.TwoApplications.WATCH;
import static org.assertj.core.api.Assertions.assertThat;

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
    private static final String FEED = """
          <wlevs:adapter id="feed" class="dev.millrace.server.fixture.app.NumberFeed" listeners="numbers"/>
          <wlevs:channel id="numbers" event-type="Number" advertise="true"/>
        """;

    private static final String TAKEN = """
          <wlevs:channel id="taken" event-type="Number" source="market.app:numbers" listeners="every"/>
          <wlevs:event-bean id="every" class="dev.millrace.server.fixture.app.Sequence"/>
        """;

    @TempDir
    private Path directory;

    private TwoApplications both;

    @BeforeEach
    void start() throws Exception
    {
        both = new TwoApplications(directory);
    }

    @AfterEach
    void stop() throws Exception
    {
        both.close();
    }

    private void installBoth() throws Exception
    {
        both.install(MARKET, TYPE + FEED);
        both.install(WATCH, TYPE + TAKEN);
        both.awaitMore();
    }

    @Test
    void shouldRefuseStagesThatAreNotAdvertisedOrHaveAnotherType() throws Exception
    {
        assertThat(both.refuse(WATCH, TYPE + TAKEN)).contains("EPN-1218",
            "META-INF/spring/app.xml:8:57", "no running application advertises",
            "channel=taken source=market.app:numbers advertised=[]", "install market.app first");

        both.install(MARKET, TYPE + FEED);
        assertThat(both.refuse(WATCH, TYPE + TAKEN.replace(":numbers", ":names"))).contains("EPN-1218",
            "source=market.app:names advertised=[market.app:numbers]", "add advertise");
        assertThat(both.refuse(WATCH, TYPE.replace("bigint", "int") + TAKEN)).contains("EPN-1218",
            "properties=[number]",
            "type=Number[number bigint, name char] expected=Number[number int, name char]");
        assertThat(both.refuse("third.app", TYPE + TAKEN.replace("market.app", "third.app"))).contains("EPN-1218",
            "belongs to this application", "write its id only: numbers");
    }

    @Test
    void shouldPassRowsAndSuspendEachApplicationByItself() throws Exception
    {
        installBoth();
        assertThat(both.figure("first")).as("the producer ran before").isPositive();
        assertThat(both.stage(MARKET, "numbers#advertised").getAsJsonObject("own").get("subscribers"))
            .hasToString("[\"watch.app\"]");

        both.call("POST", MARKET + "/suspend");
        assertThat(both.state(WATCH)).isEqualTo("RUNNING");
        both.call("POST", MARKET + "/resume");
        both.awaitMore();
        assertThat(both.figure("gaps")).isZero();

        both.call("POST", WATCH + "/suspend");
        both.awaitRejected(WATCH, "market.app:numbers");
        both.call("POST", WATCH + "/resume");
        both.awaitMore();
        assertThat(both.figure("gaps")).isEqualTo(1);
        assertThat(both.state(MARKET)).isEqualTo("RUNNING");
    }

    @Test
    void shouldContinueWithTheNextVersionOfEachApplication() throws Exception
    {
        installBoth();
        final long first = both.figure("first");
        final long events = both.figure("events");
        both.update(MARKET, "2.0.0", TYPE + FEED + ONE_MORE);
        both.awaitMore();
        assertThat(both.figure("first")).as("the consumer was not created again").isEqualTo(first);
        assertThat(both.figure("events")).isGreaterThan(events);
        both.awaitState(WATCH, "RUNNING");

        both.update(WATCH, "2.0.0", TYPE + TAKEN + ONE_MORE);
        both.awaitMore();
        both.awaitState(WATCH, "RUNNING");
    }

    @Test
    void shouldBeDegradedWhileTheStageIsMissing() throws Exception
    {
        installBoth();
        both.update(MARKET, "2.0.0", TYPE + FEED.replace(" advertise=\"true\"", ""));
        both.awaitState(WATCH, "DEGRADED");
        assertThat(both.describe(WATCH)).contains("EPN-0644", "stage=market.app:numbers");

        both.update(MARKET, "2.0.0", TYPE + FEED);
        both.awaitState(WATCH, "RUNNING");
        both.awaitMore();

        both.call("DELETE", MARKET);
        both.awaitState(WATCH, "DEGRADED");
        both.install(MARKET, TYPE + FEED);
        both.awaitState(WATCH, "RUNNING");
        both.awaitMore();
    }

    @Test
    void shouldStartInAnyOrderWithTheInstance() throws Exception
    {
        installBoth();
        both.restart();
        both.awaitState(WATCH, "RUNNING");
        both.awaitMore();

        both.call("DELETE", MARKET);
        both.restart();
        both.awaitState(WATCH, "DEGRADED");
        both.install(MARKET, TYPE + FEED);
        both.awaitState(WATCH, "RUNNING");
        both.awaitMore();
    }

    @Test
    void shouldRefuseApplicationsThatTakeRowsOfEachOther() throws Exception
    {
        installBoth();
        both.update(WATCH, "2.0.0", TYPE + TAKEN.replace("id=\"taken\"", "id=\"taken\" advertise=\"true\""));
        assertThat(both.update(MARKET, "3.0.0", TYPE + FEED +
            "<wlevs:channel id=\"back\" event-type=\"Number\" source=\"watch.app:taken\"/>", 422))
            .contains("EPN-1218", "cycle=market.app <- watch.app <- market.app");
        both.awaitMore();
    }
}
