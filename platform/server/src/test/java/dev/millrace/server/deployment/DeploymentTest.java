package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.Tally;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class DeploymentTest
{
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
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private void restart() throws Exception
    {
        instance.close();
        instance = TestInstance.start(directory, TestInstance.FELIX);
    }

    private long ticks(final String name)
    {
        try
        {
            final JsonElement statistics =
                instance.request("GET", "/wlevs/apps/" + name + "/statistics", new byte[0]).body();
            for (final JsonElement stage : statistics.getAsJsonObject().getAsJsonArray("stages"))
            {
                if (stage.getAsJsonObject().get("id").getAsString().equals("tally"))
                {
                    return stage.getAsJsonObject().getAsJsonObject("own").get("events").getAsLong();
                }
            }
            throw new AssertionError("no stage tally in " + statistics);
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException("endpoint does not answer", e);
        }
    }

    private void awaitTicks(final String name) throws InterruptedException
    {
        final long before = ticks(name);
        instance.await("events flow", () -> ticks(name) > before);
    }

    private TestInstance.Answer call(final String method, final String path) throws Exception
    {
        return instance.request(method, "/wlevs/apps/" + path, new byte[0]);
    }

    private static Stream<String> deployed(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.list(directory.resolve("applications")))
        {
            return files.map(path -> path.getFileName().toString()).filter(name -> !name.equals(".incoming")).toList()
                .stream();
        }
    }

    @Test
    void shouldRunSuspendResumeAndRemoveWhenAsked() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(Apps.ticking("tick.app"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        awaitTicks("tick.app");

        assertThat(call("POST", "tick.app/suspend").status()).isEqualTo(200);
        assertThat(instance.state("tick.app")).isEqualTo("SUSPENDED");
        final long paused = ticks("tick.app");
        assertThat(Files.readString(directory.resolve("deployments.xml"))).contains("state=\"suspend\"");
        assertThat(ticks("tick.app")).isEqualTo(paused);

        assertThat(call("POST", "tick.app/resume").status()).isEqualTo(200);
        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
        awaitTicks("tick.app");

        assertThat(call("DELETE", "tick.app").status()).isEqualTo(200);
        assertThat(call("GET", "tick.app").status()).isEqualTo(404);
        assertThat(deployed(directory)).isEmpty();
        assertThat(Files.readString(directory.resolve("deployments.xml"))).doesNotContain("tick.app");
        assertThat(instance.deploy(Apps.ticking("tick.app")).status()).isEqualTo(201);
    }

    @Test
    void shouldComeBackInTheSameStateWhenTheInstanceIsRestarted() throws Exception
    {
        instance.deploy(Apps.ticking("one.app"));
        instance.deploy(Apps.ticking("two.app"));
        call("POST", "two.app/suspend");

        restart();

        assertThat(instance.state("one.app")).isEqualTo("RUNNING");
        awaitTicks("one.app");
        assertThat(instance.state("two.app")).isEqualTo("SUSPENDED");
        assertThat(ticks("two.app")).isZero();
        call("POST", "two.app/resume");
        awaitTicks("two.app");
    }

    @Test
    void shouldKeepTheRestRunningWhenOneApplicationIsMissingAtRestart() throws Exception
    {
        instance.deploy(Apps.ticking("one.app"));
        instance.deploy(Apps.ticking("two.app"));
        Files.delete(directory.resolve("applications/two.app/two.app.jar"));

        restart();

        assertThat(instance.state("one.app")).isEqualTo("RUNNING");
        assertThat(instance.state("two.app")).isEqualTo("FAILED");
        assertThat(call("GET", "two.app").text()).contains("SRV-0211", "two.app.jar");
        assertThat(instance.request("PUT", "/wlevs/apps/two.app", Apps.ticking("two.app").bytes()).status())
            .isEqualTo(200);
        assertThat(instance.state("two.app")).isEqualTo("RUNNING");
    }

    @Test
    void shouldRestoreAnApplicationByItselfWhenItsFilesCanBeReadAgain() throws Exception
    {
        instance.deploy(Apps.ticking("one.app"));
        final Path jar = directory.resolve("applications/one.app/one.app.jar");
        final Path away = directory.resolve("away.jar");
        Files.move(jar, away);
        restart();
        assertThat(instance.state("one.app")).isEqualTo("FAILED");

        Files.move(away, jar);

        instance.await("it runs again", () -> instance.state("one.app").equals("RUNNING"));
        awaitTicks("one.app");
    }

    @Test
    void shouldReplaceTheVersionWhenUpdated() throws Exception
    {
        instance.deploy(Apps.ticking("tick.app"));
        final TestInstance.Answer answer =
            instance.request("PUT", "/wlevs/apps/tick.app", Apps.ticking("tick.app").version("1.1.0").bytes());

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.text()).contains("\"1.1.0\"", "RUNNING");
        awaitTicks("tick.app");
        restart();
        assertThat(call("GET", "tick.app").text()).contains("\"1.1.0\"", "RUNNING");
        assertThat(deployed(directory)).containsExactly("tick.app");
    }

    @Test
    void shouldPutTheOldVersionBackWhenAnUpdateFails() throws Exception
    {
        instance.deploy(Apps.ticking("tick.app"));
        final byte[] broken = Apps.ticking("tick.app", "<bean id='x' class='no.such.Type'/>").version("2.0.0").bytes();

        final TestInstance.Answer answer = instance.request("PUT", "/wlevs/apps/tick.app", broken);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("no.such.Type", "META-INF/spring/app.xml:");
        assertThat(call("GET", "tick.app").text()).contains("\"1.0.0\"", "RUNNING");
        awaitTicks("tick.app");
        assertThat(deployed(directory)).containsExactly("tick.app");
        assertThat(instance.request("PUT", "/wlevs/apps/tick.app", Apps.ticking("other.app").bytes()).text())
            .contains("SRV-0207");
        assertThat(instance.request("PUT", "/wlevs/apps/tick.app", "junk".getBytes(StandardCharsets.UTF_8)).text())
            .contains("SRV-0201");
        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
    }

    @Test
    void shouldLeaveNothingBehindAndOthersAloneWhenTheSecondPhaseFails() throws Exception
    {
        instance.deploy(Apps.ticking("good.app"));

        final TestInstance.Answer answer = instance.deploy(
            Apps.ticking("bad.app").file("META-INF/wlevs/config.xml", CONFIG.formatted("tickss")));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("META-INF/wlevs/config.xml:2:", "tickss", "hint");
        assertThat(call("GET", "bad.app").status()).isEqualTo(404);
        assertThat(deployed(directory)).containsExactly("good.app");
        awaitTicks("good.app");
        assertThat(instance.framework().getBundleContext().getBundles())
            .noneMatch(bundle -> "bad.app".equals(bundle.getSymbolicName()));
    }

    @Test
    void shouldLetOthersRunOnWhenABundleIsAZipBomb() throws Exception
    {
        instance.deploy(Apps.ticking("good.app"));

        final TestInstance.Answer answer =
            instance.deploy(BundleJar.named("bomb.app").file("zeros", new byte[8 << 20]));

        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0203", "zeros", "hint");
        shouldRunAlone("good.app");
    }

    @Test
    void shouldLetOthersRunOnWhenABundleIsTooLarge() throws Exception
    {
        instance.deploy(Apps.ticking("good.app"));

        final TestInstance.Answer answer = instance.request("POST", "/wlevs/apps", new byte[66 << 20]);

        assertThat(answer.status()).as(answer.text()).isEqualTo(413);
        assertThat(answer.text()).contains("SRV-0413", "limitBytes", "hint");
        shouldRunAlone("good.app");
    }

    @Test
    void shouldLetOthersRunOnWhenSomebodyDeploysWithoutCredentials() throws Exception
    {
        instance.deploy(Apps.ticking("good.app"));

        final TestInstance.Answer answer = instance.send(HttpRequest.newBuilder(
            URI.create(instance.url() + "/wlevs/apps"))
            .POST(BodyPublishers.ofByteArray(Apps.ticking("other.app").bytes())).build());

        assertThat(answer.status()).as(answer.text()).isEqualTo(401);
        assertThat(answer.text()).contains("SRV-0401", "hint");
        shouldRunAlone("good.app");
    }

    private void shouldRunAlone(final String name) throws Exception
    {
        assertThat(deployed(directory)).containsExactly(name);
        assertThat(instance.state(name)).isEqualTo("RUNNING");
        awaitTicks(name);
    }

    @Test
    void shouldUseTheCopyInTheDomainWhenAUserHasEditedIt() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(
            Apps.ticking("tick.app").file("META-INF/wlevs/config.xml", CONFIG.formatted("ticks")));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        final Path copy = directory.resolve("applications/tick.app/META-INF/wlevs/config.xml");
        assertThat(copy).exists();
        Files.writeString(copy, CONFIG.formatted("nothere"));

        restart();

        assertThat(instance.state("tick.app")).isEqualTo("FAILED");
        assertThat(call("GET", "tick.app").text()).contains("nothere");
        Files.writeString(copy, CONFIG.formatted("ticks"));
        restart();
        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
    }

    @Test
    void shouldNameWhatIsMissingWhenImportsAreUnresolved() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(BundleJar.named("needy.app")
            .header("Import-Package", "org.example.absent;version=\"[3,4)\",dev.millrace.api.event"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0209", "org.example.absent").doesNotContain("api.event");
        assertThat(call("GET", "needy.app").status()).isEqualTo(404);
    }

    @Test
    void shouldRefuseANameThatIsTakenAndAProviderThatIsNotThere() throws Exception
    {
        instance.deploy(BundleJar.named("taken"));
        assertThat(instance.deploy(BundleJar.named("taken")).text()).contains("SRV-0206");
        assertThat(instance.deploy(BundleJar.named("dev.millrace.network")).text()).contains("SRV-0206");

        final TestInstance.Answer answer = instance.deploy(Apps.context("provider.app",
            "<wlevs:adapter id='in' provider='csvgenn'/>"));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("csvgenn", "META-INF/spring/app.xml:");
    }

    @Test
    void shouldRefuseAnActivatorThatThrows() throws Exception
    {
        final TestInstance.Answer answer = instance.deploy(BundleJar.named("hostile.app")
            .header("Bundle-Activator", Tally.class.getName()).classes(Tally.class)
            .header("Import-Package", "dev.millrace.api.lifecycle,dev.millrace.api.stage"));

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0210");
        assertThat(call("GET", "hostile.app").status()).isEqualTo(404);
    }

    @Test
    void shouldFinishWhatACrashInterruptedWhenRestarted() throws Exception
    {
        instance.deploy(Apps.ticking("tick.app"));
        instance.close();
        final Path applications = directory.resolve("applications");
        Files.move(applications.resolve("tick.app"), applications.resolve(".old-tick.app"));
        Files.createDirectories(applications.resolve(".next-tick.app"));

        instance = TestInstance.start(directory, TestInstance.FELIX);

        assertThat(instance.state("tick.app")).isEqualTo("RUNNING");
        assertThat(deployed(directory)).containsExactly("tick.app");
    }
}
