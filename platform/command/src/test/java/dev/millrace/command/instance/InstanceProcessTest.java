package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Waits for instances that a script and a server of this test simulate. */
@Tag("slow")
@Timeout(180)
class InstanceProcessTest
{
    private static final int STARTING_ANSWERS = 20;

    @TempDir
    private Path directory;

    private HttpServer server;

    private Domain domain;

    private final Set<Integer> connections = ConcurrentHashMap.newKeySet();

    private final AtomicInteger answers = new AtomicInteger();

    /** Process id in responses; 0 for that of the started process. */
    private long otherPid;

    @BeforeEach
    void pretendAnInstance() throws IOException
    {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/wlevs/server", exchange ->
        {
            connections.add(exchange.getRemoteAddress().getPort());
            final String state = answers.incrementAndGet() < STARTING_ANSWERS ? "STARTING" : "RUNNING";
            final long pid = otherPid == 0 ? domain.pid().orElseThrow() : otherPid;
            final byte[] body =
                ("{\"state\": \"" + state + "\", \"pid\": " + pid + "}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        domain = new Domain(Files.createDirectories(directory.resolve("server/config")).getParent());
        script("""
            mkdir -p var
            echo token >var/admin.token
            echo http://127.0.0.1:%d >var/management.url
            echo $$ >var/pid
            exec /bin/sh -c 'sleep 50; true' "-Dwlevs.domain.home=%s"
            """.formatted(server.getAddress().getPort(), domain.directory()));
    }

    @AfterEach
    void stopServer()
    {
        server.stop(0);
    }

    private void script(final String commands) throws IOException
    {
        final Path script = domain.directory().resolve("startwlevs.sh");
        Files.writeString(script, "#!/bin/sh\n" + commands);
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void shouldNameTheBatchFileOnWindows()
    {
        assertThatThrownBy(() -> InstanceProcess.requireShell("Windows 11")).isInstanceOf(CommandException.class)
            .hasMessageContainingAll("CMD-0128", "system=Windows 11", "startwlevs.cmd");
        InstanceProcess.requireShell("Linux");
    }

    @Test
    void shouldAskOverOneConnectionUntilTheInstanceRuns() throws Exception
    {
        try (InstanceProcess process = InstanceProcess.start(domain, null, List.of()))
        {
            process.awaitRunning(60_000);
            assertThat(answers.get()).isGreaterThanOrEqualTo(STARTING_ANSWERS);
            assertThat(connections).hasSize(1);
        }
        assertThat(domain.pid()).isEmpty();
    }

    @Test
    void shouldNotTakeAnotherInstanceForItsOwnWhenThatAnswersThere() throws Exception
    {
        answers.set(STARTING_ANSWERS);
        otherPid = 1;
        try (InstanceProcess process = InstanceProcess.startInBackground(domain))
        {
            assertThatThrownBy(() -> process.awaitRunning(1_000))
                .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0131");
        }
    }

    @Test
    void shouldSayWhatTheInstanceSaidWhenItEnds() throws Exception
    {
        script("""
            echo before >>logs/server.log
            echo 'SRV-0001: this is why' >>logs/server.log
            echo 'script: too'
            exit 7
            """);
        try (InstanceProcess process = InstanceProcess.startInBackground(domain))
        {
            assertThatThrownBy(() -> process.awaitRunning(60_000)).isInstanceOf(CommandException.class)
                .hasMessageContaining("CMD-0130").hasMessageContaining("exitCode=7")
                .hasMessageContaining("SRV-0001: this is why").hasMessageContaining("script: too");
        }
    }
}
