package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.server.extender.ApplicationState;
import dev.millrace.server.extender.ExtenderSettings;
import dev.millrace.server.extender.SpringExtender;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.MarkedFeed;
import dev.millrace.server.fixture.app.MarkedSink;
import dev.millrace.server.fixture.app.NumberFeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/** The states of applications, and their recovery from FAILED and DEGRADED. */
@Tag("slow")
@Timeout(120)
class ApplicationStateTest
{
    private static final String NAME = "marked.app";

    private static final String NUMBERS = """
          <wlevs:adapter id="numbers" class="dev.millrace.server.fixture.app.NumberFeed">
            <wlevs:listener ref="all"/>
          </wlevs:adapter>
        """;

    private static final String NETWORK = """
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Number">
              <wlevs:properties type="map">
                <wlevs:property name="number" type="bigint"/><wlevs:property name="name" type="char"/>
              </wlevs:properties>
            </wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="feed" class="dev.millrace.server.fixture.app.MarkedFeed">
            <wlevs:instance-property name="mark" value="FOLDER/feed-is-broken"/>
            <wlevs:listener ref="all"/>
          </wlevs:adapter>
          <wlevs:channel id="all" event-type="Number"><wlevs:listener ref="sink"/></wlevs:channel>
          <wlevs:event-bean id="sink" class="dev.millrace.server.fixture.app.MarkedSink">
            <wlevs:instance-property name="mark" value="FOLDER/sink-is-broken"/>
          </wlevs:event-bean>
        """;

    private static final String CONFIG = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <channel><name>%s</name><max-size>64</max-size><max-threads>1</max-threads></channel>
        </c:config>
        """;

    @TempDir
    private Path directory;

    private TestInstance instance;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.startWithRules(TestInstance.newDomain(directory));
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private BundleJar marked(final String more)
    {
        return Apps.context(NAME, NETWORK.replace("FOLDER", directory.toString()) + more)
            .classes(MarkedFeed.class, MarkedSink.class, NumberFeed.class)
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage;version=\"[1.0,2)\"");
    }

    private TestInstance.Answer call(final String method, final String below) throws Exception
    {
        return instance.request(method, "/wlevs/apps/" + below, new byte[0]);
    }

    private JsonObject cause() throws Exception
    {
        return call("GET", NAME).body().getAsJsonObject().getAsJsonArray("causes").get(0).getAsJsonObject();
    }

    /** The framework sets a bundle to active before it notifies the extender. */
    @Test
    void shouldBeStartingWhenTheBundleIsActiveButHasNoContextYet() throws Exception
    {
        final DeploymentRegistry deployed = new DeploymentRegistry(new LeftoverThreads());
        try (SpringExtender notTold = new SpringExtender(instance.framework().getBundleContext(),
            new ExtenderSettings(directory, 1, Duration.ZERO, 1, DurabilitySettings.DEFAULT,
                MemoryBudget.unlimited(), null, Set.of(), null)))
        {
            deployed.states(notTold);

            assertThat(state(deployed, marked(""))).isEqualTo(ApplicationState.STARTING);
            assertThat(state(deployed, BundleJar.named("library"))).isEqualTo(ApplicationState.RUNNING);
        }
    }

    private ApplicationState state(final DeploymentRegistry deployed, final BundleJar jar) throws Exception
    {
        final Bundle active = instance.install("test:" + jar, jar);
        return deployed.status(new DeploymentRegistry.Entry(null, active, List.of())).state();
    }

    @Test
    void shouldBeDegradedWhenAStageFailsAndRunItAgainByResumeWhileTheRestRuns() throws Exception
    {
        final Path mark = Files.createFile(directory.resolve("feed-is-broken"));
        assertThat(instance.deploy(marked(NUMBERS)).status()).isEqualTo(201);
        instance.await("stage fails", () -> instance.state(NAME).equals("DEGRADED"));
        assertThat(cause().get("stage").getAsString()).isEqualTo("feed");
        assertThat(cause().get("code").getAsString()).isEqualTo("EPN-0630");
        assertThat(cause().get("text").getAsString()).contains("IllegalStateException: feed broken on purpose");
        assertThat(cause().get("since").getAsString()).startsWith("20").endsWith("Z");
        assertThat(call("GET", NAME + "/statistics").text()).contains("\"causes\":[{\"stage\":\"feed\"");

        Files.delete(mark);
        final TestInstance.Answer resumed = call("POST", NAME + "/resume");
        assertThat(resumed.status()).as(resumed.text()).isEqualTo(200);
        instance.await("stage has run", () -> instance.state(NAME).equals("RUNNING"));
    }

    @Test
    void shouldBeDegradedWhileASinkThrows() throws Exception
    {
        Files.createFile(directory.resolve("sink-is-broken"));
        assertThat(instance.deploy(marked(NUMBERS)).status()).isEqualTo(201);
        instance.await("sink throws", () -> instance.state(NAME).equals("DEGRADED"));
        assertThat(cause().get("stage").getAsString()).isEqualTo("sink");
        assertThat(cause().get("text").getAsString()).contains("sink broken on purpose");
        assertThat(cause().get("count").getAsLong()).isPositive();
    }

    /**
     * An installation with such a source would be rejected; resuming a suspended application does not create it again.
     */
    private Path letTheOnlySourceFail() throws Exception
    {
        assertThat(call("POST", NAME + "/suspend").status()).isEqualTo(200);
        final Path mark = Files.createFile(directory.resolve("feed-is-broken"));
        assertThat(call("POST", NAME + "/resume").status()).isEqualTo(200);
        instance.await("only source fails", () -> instance.state(NAME).equals("FAILED"));
        return mark;
    }

    @Test
    void shouldSuspendAndResumeFromFailed() throws Exception
    {
        assertThat(instance.deploy(marked("")).status()).isEqualTo(201);
        final Path mark = letTheOnlySourceFail();
        assertThat(call("GET", NAME).text()).contains("SRV-0303", "stage=feed", "feed broken on purpose", "resume");

        assertThat(call("POST", NAME + "/suspend").text()).contains("\"SUSPENDED\"", "feed broken on purpose");
        assertThat(Files.readString(directory.resolve("deployments.xml"))).contains("suspend");
        Files.delete(mark);
        assertThat(call("POST", NAME + "/resume").status()).isEqualTo(200);
        instance.await("source has run", () -> instance.state(NAME).equals("RUNNING"));
    }

    @Test
    void shouldMakeAnApplicationAnewWhenItIsRestarted() throws Exception
    {
        assertThat(instance.deploy(marked("").file("META-INF/wlevs/config.xml", CONFIG.formatted("all"))).status())
            .isEqualTo(201);
        final Path mark = letTheOnlySourceFail();
        Files.delete(mark);
        assertThat(call("POST", NAME + "/restart").text()).contains("\"RUNNING\"");
        final Path copy = directory.resolve("applications/" + NAME + "/META-INF/wlevs/config.xml");
        Files.writeString(copy, CONFIG.formatted("nothere"));

        final TestInstance.Answer refused = call("POST", NAME + "/restart");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text()).contains("nothere");
        assertThat(instance.state(NAME)).isEqualTo("FAILED");
        assertThat(call("POST", NAME + "/suspend").text()).contains("SRV-0208", "restart");
        Files.writeString(copy, CONFIG.formatted("all"));
        assertThat(call("POST", NAME + "/restart").status()).isEqualTo(200);
        assertThat(instance.state(NAME)).isEqualTo("RUNNING");
        assertThat(call("POST", "no.app/restart").status()).isEqualTo(404);
    }

    @Test
    void shouldWarnAtInstallWhenARelationQueryFeedsAStreamChannelAndCountItsDeletions() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(RuleApp.bundle(
            RuleApp.query("every", RuleApp.EVERY) +
                RuleApp.query("counted", "select count(*) as number from numbers")));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        final String warnings = answer.body().getAsJsonObject().getAsJsonArray("warnings").toString();
        assertThat(warnings).contains("EPN-0634", "query=counted channel=countedOut", "IStream")
            .doesNotContain("query=every");
        assertThat(call("GET", RuleApp.NAME).text()).contains("EPN-0634");
        instance.await("a count was replaced", () -> statistics().contains("\"deletionsLeftOut\":"));
    }

    @Test
    void shouldWarnWhenARuleIsReplacedByARelationQueryThatFeedsAStreamChannel() throws Exception
    {
        assertThat(instance.deploy(RuleApp.bundle()).status()).isEqualTo(201);
        assertThat(warnings()).doesNotContain("EPN-0634");
        final RuleApp app = new RuleApp(instance);

        final TestInstance.Answer replaced = app.put("every", "select count(*) as number from numbers");

        assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
        assertThat(replaced.body().getAsJsonObject().getAsJsonArray("notes").toString())
            .contains("EPN-0634", "query=every channel=everyOut", "IStream");
        assertThat(warnings()).contains("EPN-0634", "query=every");
        assertThat(app.put("every", RuleApp.EVERY).text()).doesNotContain("EPN-0634");
        assertThat(warnings()).doesNotContain("EPN-0634");
    }

    private String warnings() throws Exception
    {
        return call("GET", RuleApp.NAME).body().getAsJsonObject().getAsJsonArray("warnings").toString();
    }

    private String statistics()
    {
        try
        {
            return call("GET", RuleApp.NAME + "/statistics").text();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }
}
