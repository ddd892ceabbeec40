package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications that end the process while they start, each in a separate process. */
@Tag("slow")
@Timeout(200)
class QuarantineTest
{
    private static final int EXIT = 3;

    private static final int HALT = 4;

    @TempDir
    private Path directory;

    private Path domain;

    private final List<TestProcess> started = new ArrayList<>();

    @BeforeEach
    void makeDomain() throws Exception
    {
        domain = TestInstance.newDomain(directory.resolve("domain"));
        TestProcess.newHome(directory.resolve("home"));
    }

    @AfterEach
    void killWhatIsLeft() throws Exception
    {
        for (final TestProcess process : started)
        {
            process.kill();
        }
    }

    private TestProcess start() throws IOException
    {
        final TestProcess process = TestProcess.start(directory.resolve("home"), domain, TestInstance.FELIX);
        started.add(process);
        return process;
    }

    private TestProcess startAndAwait() throws Exception
    {
        final TestProcess process = start();
        process.awaitOutput("server RUNNING in ");
        return process;
    }

    private void trouble(final String kind) throws IOException
    {
        Files.writeString(domain.resolve("trouble"), kind);
    }

    private static String install(final TestProcess process, final BundleJar bundle) throws Exception
    {
        return process.request("POST", "/wlevs/apps", bundle.bytes()).toString();
    }

    private static String status(final TestProcess process, final String name) throws Exception
    {
        return process.request("GET", "/wlevs/apps/" + name, new byte[0]).toString();
    }

    private static void stop(final TestProcess process) throws Exception
    {
        process.terminate();
        process.awaitExit();
    }

    @Test
    void shouldTellTheInstallerAndRecordNothingWhenAConstructorEndsTheProcess() throws Exception
    {
        final TestProcess first = startAndAwait();
        install(first, Apps.ticking("good.app"));
        trouble("exit");

        final String answer = install(first, Apps.trouble("exit.app"));

        assertThat(answer).contains("SRV-0241", "System.exit", "Trouble.java", "hint");
        assertThat(first.awaitExit()).isEqualTo(EXIT);
        assertThat(Files.readString(domain.resolve("deployments.xml"))).contains("good.app")
            .doesNotContain("exit.app");
        final TestProcess second = startAndAwait();
        assertThat(status(second, "good.app")).contains("RUNNING");
        assertThat(status(second, "exit.app")).contains("SRV-0404");
        assertThat(second.output()).contains("SRV-0239", "exit.app", "Trouble.java");
        trouble("none");
        assertThat(install(second, Apps.trouble("exit.app"))).contains("RUNNING");
        assertThat(domain.resolve("var/starting")).isEmptyDirectory();
    }

    @Test
    void shouldTellTheInstallerWhenAnActivatorEndsTheProcess() throws Exception
    {
        final TestProcess first = startAndAwait();
        trouble("exit");

        assertThat(install(first, Apps.troubleInActivator("exit.app"))).contains("SRV-0241", "Trouble.java");

        assertThat(first.awaitExit()).isNotZero();
        final TestProcess second = startAndAwait();
        assertThat(status(second, "exit.app")).contains("SRV-0404");
    }

    @Test
    void shouldComeUpWithoutAnApplicationThatEndsTheProcessAtRestartAndStartItWhenAsked() throws Exception
    {
        final TestProcess first = startAndAwait();
        install(first, Apps.ticking("good.app"));
        assertThat(install(first, Apps.trouble("exit.app"))).contains("RUNNING");
        stop(first);
        trouble("exit");
        assertThat(start().awaitExit()).isEqualTo(EXIT);

        final TestProcess third = startAndAwait();

        assertThat(status(third, "good.app")).contains("RUNNING");
        assertThat(status(third, "exit.app")).contains("QUARANTINED", "SRV-0236", "System.exit", "Trouble.java",
            "app resume exit.app");
        assertThat(third.output()).contains("application QUARANTINED");
        stop(third);
        trouble("none");
        final TestProcess fourth = startAndAwait();
        assertThat(status(fourth, "exit.app")).contains("QUARANTINED");
        fourth.request("POST", "/wlevs/apps/exit.app/resume", new byte[0]);
        assertThat(status(fourth, "exit.app")).contains("RUNNING");
        stop(fourth);
        final TestProcess fifth = startAndAwait();
        assertThat(status(fifth, "exit.app")).contains("RUNNING");
    }

    @Test
    void shouldQuarantineTheOnlyApplicationThatWasStartingWhenTheProcessWasHalted() throws Exception
    {
        final TestProcess first = startAndAwait();
        assertThat(install(first, Apps.trouble("halt.app"))).contains("RUNNING");
        stop(first);
        trouble("halt");
        assertThat(start().awaitExit()).isEqualTo(HALT);

        final TestProcess third = startAndAwait();

        assertThat(status(third, "halt.app")).contains("QUARANTINED", "Runtime.halt");
        trouble("none");
        assertThat(third.request("PUT", "/wlevs/apps/halt.app", Apps.trouble("halt.app").version("2.0.0").bytes())
            .toString()).contains("RUNNING", "2.0.0");
        assertThat(third.request("DELETE", "/wlevs/apps/halt.app", new byte[0]).toString()).contains("STOPPED");
        assertThat(domain.resolve("var/starting")).isEmptyDirectory();
    }

    @Test
    void shouldComeUpAfterOneDeathWhenSeveralWereStartingAndStartTheOthersWhenTheOneIsKnown() throws Exception
    {
        final TestProcess first = startAndAwait();
        install(first, Apps.ticking("good.app"));
        assertThat(install(first, Apps.trouble("halt.app"))).contains("RUNNING");
        stop(first);
        trouble("halt");
        // The state left by a process that ends while both start.
        Files.createDirectories(domain.resolve("var/starting"));
        Files.writeString(domain.resolve("var/starting/start-good.app"), "since=2026-01-01T00\\:00\\:00Z\n");
        Files.writeString(domain.resolve("var/starting/start-halt.app"), "since=2026-01-01T00\\:00\\:00Z\n");

        final TestProcess second = startAndAwait();

        assertThat(second.output()).contains("SRV-0238", "[good.app, halt.app]");
        assertThat(status(second, "good.app")).contains("QUARANTINED", "[good.app, halt.app]", "app resume good.app");
        assertThat(status(second, "halt.app")).contains("QUARANTINED", "Runtime.halt");
        assertThatThrownBy(() -> second.request("POST", "/wlevs/apps/halt.app/resume", new byte[0]))
            .isInstanceOf(IOException.class);
        assertThat(second.awaitExit()).isEqualTo(HALT);
        final TestProcess third = startAndAwait();
        assertThat(status(third, "good.app")).contains("RUNNING");
        assertThat(status(third, "halt.app")).contains("QUARANTINED").doesNotContain("good.app");
    }

    @Test
    void shouldRecordNothingWhenAnActivatorHaltsTheProcess() throws Exception
    {
        final TestProcess first = startAndAwait();
        trouble("halt");

        assertThatThrownBy(() -> install(first, Apps.troubleInActivator("halt.app"))).isInstanceOf(IOException.class);

        assertThat(first.awaitExit()).isEqualTo(HALT);
        final TestProcess second = startAndAwait();
        assertThat(status(second, "halt.app")).contains("SRV-0404");
        assertThat(second.output()).contains("SRV-0239", "halt.app", "Runtime.halt");
    }

    @Test
    void shouldRecordNothingWhenAnInstalledApplicationHaltsTheProcess() throws Exception
    {
        final TestProcess first = startAndAwait();
        trouble("halt");

        assertThatThrownBy(() -> install(first, Apps.trouble("halt.app"))).isInstanceOf(IOException.class);

        assertThat(first.awaitExit()).isEqualTo(HALT);
        final TestProcess second = startAndAwait();
        assertThat(status(second, "halt.app")).contains("SRV-0404");
        assertThat(second.output()).contains("SRV-0239", "halt.app", "Runtime.halt");
    }

    @Test
    void shouldRefuseAnApplicationThatRunsOutOfMemoryAndGoOn() throws Exception
    {
        final TestProcess first = startAndAwait();
        trouble("memory");

        assertThat(install(first, Apps.trouble("memory.app"))).contains("OutOfMemoryError");

        assertThat(status(first, "memory.app")).contains("SRV-0404");
        assertThat(domain.resolve("var/starting")).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNobodyOutWhenTheInstanceIsStoppedWhileApplicationsStart() throws Exception
    {
        final TestProcess first = startAndAwait();
        assertThat(install(first, Apps.trouble("slow.app"))).contains("RUNNING");
        stop(first);
        trouble("spin");
        final TestProcess second = start();
        second.awaitOutput("trouble begins");
        stop(second);
        trouble("none");

        final TestProcess third = startAndAwait();

        assertThat(status(third, "slow.app")).contains("RUNNING");
    }
}
