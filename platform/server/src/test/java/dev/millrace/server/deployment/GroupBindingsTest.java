package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.NumberFeed;
import dev.millrace.server.fixture.app.Sequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One application on servers of different groups: each accepts and emits only its part. */
@Tag("slow")
@Timeout(120)
class GroupBindingsTest
{
    private static final String NAME = "shares.app";

    private static final String TYPES = """
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Number">
              <wlevs:properties type="map">
                <wlevs:property name="number" type="bigint"/><wlevs:property name="name" type="char"/>
              </wlevs:properties>
            </wlevs:event-type>
          </wlevs:event-type-repository>
        """;

    /**
     * On the left path, the adapter sends only its part; on the other path, a channel downstream of a processor selects
     * it.
     */
    private static final String NETWORK = TYPES + """
          <wlevs:adapter id="share" class="dev.millrace.server.fixture.app.NumberFeed">
            <wlevs:instance-property name="first" value="${REMAINDER}"/>
            <wlevs:instance-property name="step" value="2"/>
            <wlevs:listener ref="shares"/>
          </wlevs:adapter>
          <wlevs:channel id="shares" event-type="Number"><wlevs:listener ref="taken"/></wlevs:channel>
          <wlevs:event-bean id="taken" class="dev.millrace.server.fixture.app.Sequence"/>
          <wlevs:adapter id="feed" class="dev.millrace.server.fixture.app.NumberFeed">
            <wlevs:listener ref="numbers"/>
          </wlevs:adapter>
          <wlevs:channel id="numbers" event-type="Number"><wlevs:listener ref="rules"/></wlevs:channel>
          <wlevs:processor id="rules"><wlevs:listener ref="out"/></wlevs:processor>
          <wlevs:channel id="out" event-type="Number"><wlevs:listener ref="passed"/></wlevs:channel>
          <wlevs:event-bean id="passed" class="dev.millrace.server.fixture.app.Sequence"/>
        """;

    private static final String CONFIGURATION = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <adapter><name>share</name><bindings>
            <group-binding group-id="ActiveActiveGroupBean_a"><param id="REMAINDER">0</param></group-binding>
            <group-binding group-id="ActiveActiveGroupBean_b"><param id="REMAINDER">1</param></group-binding>
          </bindings></adapter>
          <channel><name>out</name><selector>${QUERY}</selector><bindings>
            <group-binding group-id="one"><param id="QUERY">even</param></group-binding>
            <group-binding group-id="two"><param id="QUERY">odd</param></group-binding>
          </bindings></channel>
          <processor><name>rules</name><rules>
            <query id="even">select number, name from numbers where name = "even"</query>
            <query id="odd">select number, name from numbers where name = "odd"</query>
          </rules></processor>
        </c:config>
        """;

    @TempDir
    private Path directory;

    private Path domain(final String server, final String groups) throws IOException
    {
        final Path domain = TestInstance.newDomain(directory.resolve(server));
        final Path file = domain.resolve("config/config.xml");
        Files.writeString(file, Files.readString(file).replace("</config>", "<cluster><server-name>" + server +
            "</server-name><enabled>true</enabled><groups>" + groups + "</groups></cluster></config>"));
        return domain;
    }

    private static BundleJar bundle(final String network, final String configuration)
    {
        return Apps.context(NAME, network).classes(NumberFeed.class, Sequence.class)
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage;version=\"[1.0,2)\"")
            .file("META-INF/wlevs/shares.xml", configuration);
    }

    /** The numbers received by a bean, as a snapshot. */
    private static JsonObject seen(final TestInstance instance, final String bean)
    {
        try
        {
            final JsonElement statistics =
                instance.request("GET", "/wlevs/apps/" + NAME + "/statistics", new byte[0]).body();
            for (final JsonElement stage : statistics.getAsJsonObject().getAsJsonArray("stages"))
            {
                if (stage.getAsJsonObject().get("id").getAsString().equals(bean))
                {
                    return stage.getAsJsonObject().getAsJsonObject("own");
                }
            }
            throw new AssertionError("no stage " + bean + " in " + statistics);
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }

    /**
     * Checks that exactly every second number was received, beginning with the first one: the count of steps of two
     * equals the count of gaps.
     */
    private static void sawEverySecondFrom(final int first, final TestInstance instance, final String bean)
        throws InterruptedException
    {
        instance.await("rows come to " + bean, () -> seen(instance, bean).get("events").getAsLong() >= 10);
        final JsonObject seen = seen(instance, bean);
        final long steps = seen.get("events").getAsLong() - 1;
        assertThat(seen.get("first").getAsLong()).as("%s %s", bean, seen).isEqualTo(first);
        assertThat(seen.get("last").getAsLong()).as("%s %s", bean, seen).isEqualTo(first + 2 * steps);
        assertThat(seen.get("gaps").getAsLong()).as("%s %s", bean, seen).isEqualTo(steps);
    }

    @Test
    void shouldLetEachServerTakeAndPutOutTheShareOfItsGroups() throws Exception
    {
        final BundleJar bundle = bundle(NETWORK, CONFIGURATION);
        try (TestInstance one = TestInstance.startWithRules(domain("one", "ActiveActiveGroupBean_a,desk"));
            TestInstance two = TestInstance.startWithRules(domain("two", "desk,ActiveActiveGroupBean_b")))
        {
            for (final TestInstance each : new TestInstance[] {one, two})
            {
                final TestInstance.Answer answer = each.deploy(bundle);
                assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            }
            sawEverySecondFrom(0, one, "taken");
            sawEverySecondFrom(1, two, "taken");
            sawEverySecondFrom(0, one, "passed");
            sawEverySecondFrom(1, two, "passed");
        }
    }

    @Test
    void shouldRefuseApplicationThatHasNoValueForTheServer() throws Exception
    {
        try (TestInstance three = TestInstance.startWithRules(domain("three", "ActiveActiveGroupBean_c")))
        {
            final TestInstance.Answer answer = three.deploy(bundle(NETWORK, CONFIGURATION));

            assertThat(answer.status()).as(answer.text()).isEqualTo(422);
            assertThat(answer.text()).contains("EPN-1404").contains("shares.xml").contains(
                "name=QUERY groups of this server=ActiveActiveGroupBean_c, AllDomainMembers, three " +
                    "groups with a value=one, two");
        }
    }
}
