package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.launcher.ExitCode;
import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.TestProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(120)
class InstanceProcessTest
{
    private static final int TERMINATED = 143;

    @TempDir
    private Path directory;

    private final List<TestProcess> started = new ArrayList<>();

    @AfterEach
    void killWhatIsLeft() throws Exception
    {
        for (final TestProcess process : started)
        {
            process.kill();
        }
    }

    private TestProcess start(final String framework) throws Exception
    {
        final Path home = directory.resolve("home");
        if (Files.notExists(home))
        {
            TestProcess.newHome(home);
        }
        final TestProcess process = TestProcess.start(home, directory.resolve("domain"), framework);
        started.add(process);
        return process;
    }

    @Test
    void shouldBringDeploymentsBackWhenTheProcessWasKilled() throws Exception
    {
        TestInstance.newDomain(directory.resolve("domain"));
        final TestProcess first = start(TestInstance.FELIX);
        first.awaitOutput("server RUNNING in ");
        assertThat(first.request("POST", "/wlevs/apps", Apps.ticking("one.app").bytes()).toString())
            .contains("RUNNING");
        first.request("POST", "/wlevs/apps", Apps.ticking("two.app").bytes());
        assertThat(first.request("POST", "/wlevs/apps/two.app/suspend", new byte[0]).toString())
            .contains("SUSPENDED");
        first.kill();

        final TestProcess second = start(TestInstance.FELIX);
        second.awaitOutput("server RUNNING in ");
        assertThat(second.request("GET", "/wlevs/apps/one.app", new byte[0]).toString()).contains("RUNNING");
        assertThat(second.request("GET", "/wlevs/apps/two.app", new byte[0]).toString()).contains("SUSPENDED");

        final TestProcess third = start(TestInstance.FELIX);
        assertThat(third.awaitExit()).isEqualTo(ExitCode.ALREADY_RUNNING);
        assertThat(third.output()).contains("SRV-0002", "pid=" + second.pid());

        second.request("POST", "/wlevs/server/shutdown", new byte[0]);
        assertThat(second.awaitExit()).isEqualTo(ExitCode.STOPPED);
        assertThat(directory.resolve("domain/var/pid")).doesNotExist();
        assertThat(directory.resolve("domain/var/admin.token")).doesNotExist();
    }

    @Test
    void shouldRunOnTheOtherFrameworkTooAndStopOnASignal() throws Exception
    {
        TestInstance.newDomain(directory.resolve("domain"));
        final TestProcess process = start(TestInstance.EQUINOX);
        process.awaitOutput("server RUNNING in ");
        assertThat(process.request("POST", "/wlevs/apps", Apps.ticking("one.app").bytes()).toString())
            .contains("RUNNING");
        assertThat(process.request("PUT", "/wlevs/apps/one.app", Apps.ticking("one.app").version("2.0.0").bytes())
            .toString()).contains("RUNNING", "2.0.0");
        process.terminate();
        assertThat(process.awaitExit()).isEqualTo(TERMINATED);
        assertThat(process.output()).contains("server stopped");
        assertThat(directory.resolve("domain/var/pid")).doesNotExist();
    }

    @Test
    void shouldStopCleanlyOnASignalWhileClassesAreWarmedUp() throws Exception
    {
        TestInstance.newDomain(directory.resolve("domain"));
        TestProcess.newHome(directory.resolve("home"));
        TestProcess.addRules(directory.resolve("home"));
        final TestProcess process = start(TestInstance.FELIX);
        process.awaitOutput("server RUNNING in ");
        assertThat(process.request("GET", "/wlevs/server", new byte[0]).toString()).contains("\"warmUp\"");
        process.terminate();

        assertThat(process.awaitExit()).isEqualTo(TERMINATED);
        assertThat(process.output()).contains("server stopped").doesNotContain("\tat ", "SRV-0119");
        assertThat(directory.resolve("domain/var/pid")).doesNotExist();
    }

    /** Uses prlimit of util-linux, which every Linux system has. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveTheStateAndSaySoWhenNothingCanBeWritten() throws Exception
    {
        final Path domain = TestInstance.newDomain(directory.resolve("domain"));
        final TestProcess process = start(TestInstance.FELIX);
        process.awaitOutput("server RUNNING in ");
        process.request("POST", "/wlevs/apps", Apps.ticking("one.app").bytes());
        final String before = Files.readString(domain.resolve("deployments.xml"));

        limitFiles(process, "0:");
        assertThat(call(process, "POST", "one.app/suspend")).containsAnyOf("SRV-0412", "SRV-0498");
        assertThat(call(process, "GET", "one.app")).contains("RUNNING");
        assertThat(call(process, "DELETE", "one.app")).containsAnyOf("SRV-0412", "SRV-0498");
        assertThat(call(process, "GET", "one.app")).contains("RUNNING");
        assertThat(Files.readString(domain.resolve("deployments.xml"))).isEqualTo(before);

        limitFiles(process, "unlimited:");
        assertThat(call(process, "POST", "one.app/suspend")).contains("SUSPENDED");
        limitFiles(process, "0:");
        assertThat(call(process, "POST", "one.app/resume")).containsAnyOf("SRV-0412", "SRV-0498");
        assertThat(call(process, "GET", "one.app")).contains("SUSPENDED");
        limitFiles(process, "unlimited:");
        assertThat(call(process, "POST", "one.app/resume")).contains("RUNNING");
    }

    private static String call(final TestProcess process, final String method, final String path) throws Exception
    {
        return process.request(method, "/wlevs/apps" + (path.isEmpty() ? "" : "/" + path), new byte[0]).toString();
    }

    /** Limits the size of files that a process may write; 0 simulates a full disk. */
    private static void limitFiles(final TestProcess process, final String limit) throws Exception
    {
        limit(process, "--fsize=" + limit);
    }

    private static void limit(final TestProcess process, final String limit) throws Exception
    {
        final Process tool = new ProcessBuilder(
            "prlimit", "--pid", Long.toString(process.pid()), limit).inheritIO().start();
        assertThat(tool.waitFor()).isZero();
    }

    private static void awaitFileHandles(final TestProcess process, final long most) throws IOException
    {
        while (fileHandles(process) > most)
        {
            Thread.onSpinWait();
        }
    }

    /** Idle connections are closed in favor of those with requests. */
    private static void awaitAnswer(final TestProcess process, final String expected) throws Exception
    {
        String answer = "";
        while (!answer.contains(expected))
        {
            try
            {
                answer = call(process, "GET", "");
            }
            catch (final IOException e)
            {
                answer = e.toString();
            }
        }
    }

    private static long fileHandles(final TestProcess process) throws IOException
    {
        try (Stream<Path> handles = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd")))
        {
            return handles.count();
        }
    }

    /** Equivalent to 200 connections with ulimit -n 128, regardless of the handles that the JVM itself needs. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSurviveMoreConnectionsThanThereAreFileHandlesAndSaySoOnce() throws Exception
    {
        final Path domain = TestInstance.newDomain(directory.resolve("domain"));
        final TestProcess process = start(TestInstance.FELIX);
        process.awaitOutput("server RUNNING in ");
        // The first application opens the libraries, which need more handles than are available then.
        assertThat(process.request("POST", "/wlevs/apps", Apps.ticking("one.app").bytes()).toString())
            .contains("RUNNING");
        final int port = URI.create(Files.readString(domain.resolve("var/management.url")).strip()).getPort();
        final long idle = fileHandles(process);
        limit(process, "--nofile=" + (idle + 30) + ":");
        final List<Socket> connections = new ArrayList<>();
        try
        {
            while (connections.size() < 200)
            {
                connections.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            process.awaitOutput("SRV-0417");
            awaitAnswer(process, "one.app");
        }
        finally
        {
            for (final Socket connection : connections)
            {
                connection.close();
            }
        }
        awaitFileHandles(process, idle + 15);
        assertThat(process.request("POST", "/wlevs/apps", Apps.ticking("two.app").bytes()).toString())
            .contains("RUNNING");
        assertThat(process.output().split("SRV-0417", -1)).as("not with each connection")
            .hasSizeBetween(2, 4);
    }

    @Test
    void shouldSayWhichPortIsTakenAndWhereItIsSetWhenItCannotListen() throws Exception
    {
        final Path domain = TestInstance.newDomain(directory.resolve("domain"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")))
        {
            Files.writeString(domain.resolve("config/config.xml"), """
                <config xmlns="http://www.bea.com/ns/wlevs/config/server">
                  <netio><name>NetIO</name><port>%d</port></netio>
                </config>
                """.formatted(taken.getLocalPort()));
            final TestProcess process = start(TestInstance.FELIX);

            assertThat(process.awaitExit()).isEqualTo(ExitCode.START_FAILED);
            assertThat(process.output()).contains(domain.resolve("config/config.xml") + ":2:", "SRV-0111",
                "port=" + taken.getLocalPort(), "hint").doesNotContain("\tat ");
        }
    }

    @Test
    void shouldRefuseToStartWhenTheDomainsFilesAreWrong() throws Exception
    {
        final Path domain = TestInstance.newDomain(directory.resolve("domain"));
        Files.writeString(domain.resolve("deployments.xml"), "<beans><deploymend/></beans>");
        final TestProcess first = start(TestInstance.FELIX);
        assertThat(first.awaitExit()).isEqualTo(ExitCode.START_FAILED);
        assertThat(first.output()).contains("deployments.xml:1:8: SRV-0220").doesNotContain("\tat ");

        Files.delete(domain.resolve("config/config.xml"));
        final TestProcess second = start(TestInstance.FELIX);
        assertThat(second.awaitExit()).isEqualTo(ExitCode.START_FAILED);
        assertThat(second.output()).contains("SRV-0101", "config.xml");
    }
}
