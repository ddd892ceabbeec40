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

/** Two applications of an instance, of which one has channels with event types that the other one declares. */
@Tag("slow")
@Timeout(180)
class ForeignTypeTest
{
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

    @Test
    void shouldRefuseTypesThatAreNotDeclared() throws Exception
    {
        assertThat(both.refuse(WATCH, TAKEN)).contains("EPN-1219", "META-INF/spring/app.xml:5:41",
            "channel=taken event-type=market.app:Number declared=[]", "install market.app first");
        both.install(MARKET, TYPE + FEED);
        assertThat(both.refuse(WATCH, TAKEN.replace("app:Number", "app:Price"))).contains("EPN-1219",
            "declared=[market.app:Number]", "name one of those");
        both.install(WATCH, TAKEN);
        both.awaitMore();
    }

    @Test
    void shouldWaitForTheTypeWhenTheInstanceStartsAndTheOtherApplicationIsMissing() throws Exception
    {
        both.install(MARKET, TYPE + FEED);
        both.install(WATCH, TAKEN);
        both.restart();
        assertThat(both.state(WATCH)).isEqualTo("RUNNING");
        both.awaitMore();

        both.call("DELETE", MARKET);
        both.awaitState(WATCH, "DEGRADED");
        both.restart();
        assertThat(both.state(WATCH)).as("does not delay the start of the server").isEqualTo("WAITING");
        assertThat(both.describe(WATCH)).contains("event type market.app:Number");
        both.install(MARKET, TYPE + FEED);
        both.awaitState(WATCH, "RUNNING");
        both.awaitMore();
    }

    @Test
    void shouldContinueWithItsCopyUntilItIsUpdated() throws Exception
    {
        both.install(MARKET, TYPE + FEED);
        both.install(WATCH, TAKEN);
        assertThat(both.update(MARKET, "2.0.0", WIDER + FEED)).contains(
            "application watch.app continues with the earlier event type " +
            "market.app:Number[number bigint, name char]; the type is now " +
            "market.app:Number[number bigint, name char, more int]: update watch.app");
        both.awaitMore();
        both.awaitState(WATCH, "RUNNING");

        assertThat(both.update(WATCH, "2.0.0", TAKEN)).as("a new copy is a change").doesNotContain("only rules");
        both.awaitMore();
        assertThat(both.update(MARKET, "3.0.0", WIDER + FEED + ONE_MORE))
            .doesNotContain("continues with");
    }

    @Test
    void shouldStartAgainWhenApplicationsUseTypesOfEachOther() throws Exception
    {
        both.install(MARKET, TYPE + FEED);
        both.install(WATCH, TYPE.replace("Number", "Note") + TAKEN);
        both.update(MARKET, "2.0.0", TYPE + FEED + "<wlevs:channel id=\"notes\" event-type=\"watch.app:Note\"/>\n");
        both.restart();
        both.awaitState(MARKET, "RUNNING");
        both.awaitState(WATCH, "RUNNING");
        both.awaitMore();
    }
}
