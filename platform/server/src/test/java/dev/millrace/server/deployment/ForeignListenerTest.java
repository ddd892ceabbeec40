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

/** Two applications of an instance, of which one sends rows to a channel that the other one advertises. */
@Tag("slow")
@Timeout(180)
class ForeignListenerTest
{
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
    void shouldRefuseASenderUntilTheOtherApplicationAcceptsRows() throws Exception
    {
        assertThat(both.refuse(MARKET, TYPE + FEED)).contains("EPN-1218",
            "no running application accepts rows at the channel",
            "channel=numbers listener=watch.app:entry accepting=[]", "install watch.app first");

        both.install(WATCH, TYPE + ENTRY);
        both.install(MARKET, TYPE + FEED);
        both.awaitMore();
        assertThat(both.stage(WATCH, "entry#listeners").getAsJsonObject("own").get("senders"))
            .hasToString("[\"market.app\"]");
    }

    @Test
    void shouldContinueWithTheNextVersionOfEachApplication() throws Exception
    {
        both.install(WATCH, TYPE + ENTRY);
        both.install(MARKET, TYPE + FEED);
        both.awaitMore();
        both.update(MARKET, "2.0.0", TYPE + FEED + ONE_MORE);
        both.awaitMore();
        both.update(WATCH, "2.0.0", TYPE + ENTRY + ONE_MORE);
        both.awaitMore();
        both.awaitState(MARKET, "RUNNING");
        assertThat(both.stage(MARKET, "watch.app:entry").get("rowsRejected").getAsLong()).isZero();
    }

    @Test
    void shouldBeDegradedAndCountRowsWhileTheOtherApplicationIsMissing() throws Exception
    {
        both.install(WATCH, TYPE + ENTRY);
        both.install(MARKET, TYPE + FEED);
        both.call("DELETE", WATCH);
        both.awaitState(MARKET, "DEGRADED");
        assertThat(both.describe(MARKET)).contains("EPN-0644", "stage=watch.app:entry");
        both.awaitRejected(MARKET, "watch.app:entry");

        both.restart();
        both.awaitState(MARKET, "DEGRADED");
        both.install(WATCH, TYPE + ENTRY);
        both.awaitMore();
    }

    @Test
    void shouldCountRowsInTheSuspendedApplication() throws Exception
    {
        both.install(WATCH, TYPE + ENTRY);
        both.install(MARKET, TYPE + FEED);
        both.awaitMore();
        both.call("POST", WATCH + "/suspend");
        both.awaitRejected(WATCH, "entry#listeners");
        assertThat(both.state(MARKET)).isEqualTo("RUNNING");
        both.call("POST", WATCH + "/resume");
        both.awaitMore();
    }
}
