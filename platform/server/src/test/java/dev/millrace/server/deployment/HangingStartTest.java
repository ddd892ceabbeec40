package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications that loop forever while they start, in a real framework. */
@Tag("slow")
@Timeout(120)
class HangingStartTest
{
    @TempDir
    private Path directory;

    private Path trouble;

    private TestInstance instance;

    @BeforeEach
    void start() throws Exception
    {
        trouble = directory.resolve("trouble");
        System.setProperty("trouble.file", trouble.toString());
        instance = TestInstance.start(TestInstance.newDomain(directory.resolve("domain")), TestInstance.FELIX);
    }

    @AfterEach
    void stop() throws Exception
    {
        Files.deleteIfExists(trouble);
        instance.close();
        System.clearProperty("trouble.file");
    }

    private TestInstance.Answer install(final BundleJar bundle, final int seconds)
    {
        return request("POST", "/wlevs/apps?timeout=" + seconds, bundle.bytes());
    }

    private TestInstance.Answer request(final String method, final String path, final byte[] body)
    {
        try
        {
            return instance.request(method, path, body);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String list()
    {
        return request("GET", "/wlevs/apps", new byte[0]).text();
    }

    @Test
    void shouldAnswerOthersMeanwhileAndNameTheThreadUntilItEndsWhenAConstructorSpins() throws Exception
    {
        Files.writeString(trouble, "spin");
        final CompletableFuture<TestInstance.Answer> spinning =
            CompletableFuture.supplyAsync(() -> install(Apps.trouble("spin.app"), 4));
        instance.await("the constructor spins", () -> list().contains("STARTING"));

        assertThat(instance.deploy(Apps.ticking("other.app")).status()).isEqualTo(201);
        assertThat(spinning).isNotDone();

        final TestInstance.Answer answer = spinning.join();
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0212", "limitSeconds=4", "Trouble.java:", "--timeout");
        assertThat(list()).contains("SRV-0234", "millrace-app-spin.app", "Trouble.java:");
        assertThat(instance.state("other.app")).isEqualTo("RUNNING");
        assertThat(Files.readString(directory.resolve("domain/deployments.xml"))).doesNotContain("spin.app");

        Files.delete(trouble);
        instance.await("the thread ends", () -> !list().contains("SRV-0234"));
        assertThat(install(Apps.trouble("spin.app"), 4).status()).isEqualTo(201);
        assertThat(directory.resolve("domain/var/starting")).isEmptyDirectory();
    }

    @Test
    void shouldTakeACorrectedBundleWhileTheActivatorOfTheRefusedOneSpins() throws Exception
    {
        Files.writeString(trouble, "spin");

        final TestInstance.Answer answer = install(Apps.troubleInActivator("spin.app"), 2);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.text()).contains("SRV-0210", "activator does not return", "limitSeconds=2", "Trouble.java:");
        assertThat(list()).contains("SRV-0234", "millrace-start-spin.app");
        final TestInstance.Answer corrected = install(Apps.ticking("spin.app"), 20);
        assertThat(corrected.status()).as(corrected.text()).isEqualTo(201);
        assertThat(list()).contains("RUNNING", "SRV-0234");

        Files.delete(trouble);
        instance.await("the thread ends", () -> !list().contains("SRV-0234"));
        assertThat(instance.state("spin.app")).isEqualTo("RUNNING");
        assertThat(request("DELETE", "/wlevs/apps/spin.app", new byte[0]).status()).isEqualTo(200);
        instance.await("no bundle is left", () -> Stream
            .of(instance.framework().getBundleContext().getBundles())
            .noneMatch(bundle -> "spin.app".equals(bundle.getSymbolicName())));
    }

    @Test
    void shouldFailAnApplicationThatSpinsWhenTheInstanceStartsAgainAndLetTheOthersRun() throws Exception
    {
        assertThat(install(Apps.trouble("spin.app"), 3).status()).isEqualTo(201);
        assertThat(instance.deploy(Apps.ticking("other.app")).status()).isEqualTo(201);
        instance.close();
        Files.writeString(trouble, "spin");

        instance = TestInstance.start(directory.resolve("domain"), TestInstance.FELIX);

        instance.await("the limit is over", () -> instance.state("spin.app").equals("FAILED"));
        assertThat(request("GET", "/wlevs/apps/spin.app", new byte[0]).text())
            .contains("SRV-0212", "limitSeconds=3", "Trouble.java:");
        assertThat(list()).contains("SRV-0234", "millrace-app-spin.app");
        assertThat(instance.state("other.app")).isEqualTo("RUNNING");
        Files.delete(trouble);
        instance.await("the thread ends", () -> !list().contains("SRV-0234"));
        assertThat(request("POST", "/wlevs/apps/spin.app/restart", new byte[0]).status()).isEqualTo(200);
        assertThat(instance.state("spin.app")).isEqualTo("RUNNING");
    }

    @Test
    void shouldKeepTheLimitOfTheInstallationUntilAnotherOneIsGiven() throws Exception
    {
        assertThat(install(Apps.trouble("spin.app"), 120).status()).isEqualTo(201);
        assertThat(deployments()).contains("start-timeout=\"120\"");
        assertThat(request("PUT", "/wlevs/apps/spin.app", Apps.trouble("spin.app").version("2.0.0").bytes()).status())
            .isEqualTo(200);
        assertThat(deployments()).contains("start-timeout=\"120\"");

        Files.writeString(trouble, "spin");
        assertThat(request("PUT", "/wlevs/apps/spin.app?timeout=2", Apps.trouble("spin.app").version("3.0.0").bytes())
            .text()).contains("limitSeconds=2");
        assertThat(deployments()).contains("start-timeout=\"120\"");
        Files.delete(trouble);
        assertThat(request("PUT", "/wlevs/apps/spin.app?timeout=30", Apps.trouble("spin.app").version("3.0.0").bytes())
            .status()).isEqualTo(200);
        assertThat(deployments()).doesNotContain("start-timeout");
    }

    private String deployments() throws IOException
    {
        return Files.readString(directory.resolve("domain/deployments.xml"));
    }

    @Test
    void shouldRefuseALimitThatIsNone() throws Exception
    {
        assertThat(request("POST", "/wlevs/apps?timeout=0", Apps.ticking("a.app").bytes()).text())
            .contains("SRV-0415", "timeout=0");
        assertThat(request("POST", "/wlevs/apps?timeout=3601&group=all", Apps.ticking("a.app").bytes()).text())
            .contains("SRV-0415", "timeout=3601");
    }
}
