package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.deployment.DeploymentsFile.Deployment;
import dev.millrace.server.deployment.StartMarks.Kind;
import dev.millrace.server.files.DomainFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The effect of start marks of an ended process on the next start. */
@Timeout(60)
class QuarantineMarksTest
{
    @TempDir
    private Path domain;

    /** Creates the marks of a process that ended while it started applications. */
    private void diedWhileStarting(final String... names)
    {
        final StartMarks marks = marks();
        Stream.of(names).forEach(name -> marks.set(Kind.START, name, ""));
    }

    private StartMarks marks()
    {
        return new StartMarks(new DomainFiles(), domain);
    }

    private Quarantine start(final String... deployed) throws IOException
    {
        final Quarantine quarantine = new Quarantine(marks());
        quarantine.load(Stream.of(deployed)
            .map(name -> new Deployment(name, domain.resolve(name + ".jar"), false, 1)).toList());
        return quarantine;
    }

    private static List<String> held(final Quarantine quarantine)
    {
        return Stream.of("a", "b", "c").filter(quarantine::holds).toList();
    }

    @Test
    void shouldRefuseABundleThatEndedTheProcessForThoseWhoTryByThemselvesOnly() throws Exception
    {
        marks().set(Kind.TRY, "a", "digest-of-a");

        final Quarantine quarantine = start();

        assertThatThrownBy(() -> quarantine.check("a", "digest-of-a")).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("SRV-0240").hasMessageContaining("since=2").hasMessageContaining("Runtime.halt");
        assertThatCode(() -> quarantine.check("a", "another-digest")).doesNotThrowAnyException();
        assertThatCode(() -> quarantine.check("b", "digest-of-a")).doesNotThrowAnyException();
        quarantine.mayTry("a");
        assertThatCode(() -> quarantine.check("a", "digest-of-a")).doesNotThrowAnyException();
    }

    @Test
    void shouldHoldAllThatWereStartingUntilOneIsKnownToHaveEndedTheProcess() throws Exception
    {
        diedWhileStarting("a", "b");
        assertThat(held(start("a", "b", "c"))).containsExactly("a", "b");
        assertThat(held(start("a", "b", "c"))).as("until somebody starts them").containsExactly("a", "b");

        final Quarantine third = start("a", "b", "c");
        third.starts("b");

        assertThat(held(start("a", "b", "c"))).containsExactly("b");
    }

    @Test
    void shouldLetGoOfOneThatHasStarted() throws Exception
    {
        diedWhileStarting("a", "b");
        final Quarantine quarantine = start("a", "b");
        quarantine.starts("a");
        quarantine.hasStarted("a");

        assertThat(held(start("a", "b"))).containsExactly("b");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldAccuseNobodyWhenTheOperatingSystemWasStartedAgain() throws Exception
    {
        diedWhileStarting("a");
        marks().set(Kind.TRY, "b", "digest-of-b");
        for (final String mark : List.of("start-a", "try-b"))
        {
            final Path file = domain.resolve("var/starting").resolve(mark);
            Files.writeString(file, Files.readString(file).replaceAll("boot=.*", "boot=another"));
        }

        final Quarantine quarantine = start("a");

        assertThat(held(quarantine)).isEmpty();
        assertThatCode(() -> quarantine.check("b", "digest-of-b")).doesNotThrowAnyException();
        assertThat(domain.resolve("var/starting")).isEmptyDirectory();
    }
}
