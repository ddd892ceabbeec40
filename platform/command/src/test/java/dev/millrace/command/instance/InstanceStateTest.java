package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InstanceStateTest
{
    private static final Path SOURCES = Path.of("../../domains/defaultserver").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private Domain domain;

    private Process process;

    @BeforeEach
    void makeDomain() throws IOException
    {
        domain = new Domain(directory.resolve("server"));
        Files.createDirectories(domain.directory().resolve("config"));
        Files.createDirectories(domain.directory().resolve("var"));
        for (final String file : new String[] {"startwlevs.sh", "config/config.xml"})
        {
            Files.copy(SOURCES.resolve(file), domain.directory().resolve(file));
        }
    }

    @AfterEach
    void endProcess() throws InterruptedException
    {
        if (process != null)
        {
            process.destroyForcibly().waitFor();
        }
    }

    /** Starts a process that looks like an instance of a directory until its input ends. */
    private void run(final Path ofDomain) throws IOException
    {
        process = new ProcessBuilder("/bin/sh", "-c", "read line", "-Dwlevs.domain.home=" + ofDomain).start();
        Files.writeString(domain.directory().resolve("var/pid"), process.pid() + "\n");
    }

    @Test
    void shouldBeStoppedWhenNoProcessWroteItsNumberOrItIsGone() throws Exception
    {
        assertThat(InstanceState.asked(domain).state()).isEqualTo(InstanceState.STOPPED);
        run(domain.directory());
        process.destroyForcibly().waitFor();
        assertThat(InstanceState.asked(domain).state()).isEqualTo(InstanceState.STOPPED);
        assertThat(InstanceState.asked(domain).uptime()).isEmpty();
    }

    @Test
    void shouldBeStartingUntilTheInstanceSaysWhereItListens() throws Exception
    {
        run(domain.directory());
        final InstanceState state = InstanceState.asked(domain);
        assertThat(state.state()).isEqualTo(InstanceState.STARTING);
        assertThat(state.process().map(ProcessHandle::pid)).contains(process.pid());
        assertThat(state.uptime()).isPresent();
    }

    @Test
    void shouldSayThatThereIsNoAnswerWhenNobodyListensWhereItShould() throws Exception
    {
        run(domain.directory());
        final int port = Ports.free().netio();
        Files.writeString(domain.directory().resolve("var/management.url"), "http://127.0.0.1:" + port + "\n");
        final InstanceState state = InstanceState.asked(domain);
        assertThat(state.state()).isEqualTo(InstanceState.NO_ANSWER);
        assertThat(state.ports()).contains(new NamedPort("netio", port));
    }

    @Test
    void shouldTakeNoOtherProcessForItsOwn() throws Exception
    {
        run(directory.resolve("neighbour"));
        assertThat(domain.process()).isEmpty();
        assertThatThrownBy(() -> InstanceStop.request(domain, domain.client(), false))
            .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(
                ExitCode.NOT_FOUND)).hasMessageContaining("CMD-0133");
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void shouldEndItsOwnProcessInGoodOrderWhenItDoesNotAnswer() throws Exception
    {
        run(domain.directory());
        Files.writeString(domain.directory().resolve("var/management.url"),
            "http://127.0.0.1:" + Ports.free().netio() + "\n");
        final InstanceStop stop = InstanceStop.request(domain, domain.client(), false);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(stop.isGone()).isTrue();
    }

    @Test
    void shouldShowWhatWasLoggedSinceThenOnly() throws Exception
    {
        final Path log = directory.resolve("server.log");
        Files.writeString(log, "old\n");
        final LogTail tail = new LogTail(log);
        assertThat(tail.lines(5)).isEmpty();
        Files.writeString(log, "old\none\ntwo\nthree\n");
        assertThat(tail.lines(2)).isEqualTo("two\nthree");
        Files.writeString(log, "n\n");
        assertThat(tail.lines(2)).isEqualTo("n");
        assertThat(new LogTail(directory.resolve("none")).lines(2)).isEmpty();
    }
}
