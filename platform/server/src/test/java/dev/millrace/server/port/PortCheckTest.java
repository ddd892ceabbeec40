package dev.millrace.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PortCheckTest
{
    private static final Map<String, String> PORTS = Map.of("loadgen.port", "9001", "timesync.port", "9011");

    @TempDir
    private Path other;

    @BeforeEach
    void makeOther() throws IOException
    {
        Files.createDirectories(other.resolve("config"));
        Files.createDirectories(other.resolve("var"));
        Files.writeString(other.resolve("config/config.xml"), """
            <config xmlns="http://www.bea.com/ns/wlevs/config/server">
              <netio><name>NetIO</name><port>9002</port></netio>
            </config>
            """);
    }

    private List<String> problems(final int management, final String loadgen, final String timesync)
    {
        return problems(management, loadgen, timesync, PORTS::get);
    }

    private List<String> problems(final int management, final String loadgen, final String timesync,
        final UnaryOperator<String> properties)
    {
        final RunningInstance neighbour = new RunningInstance(4711, Instant.EPOCH, RunningInstance.properties(List.of(
            "-Xmx1g", "-Dloadgen.port=" + loadgen, "-Dtimesync.port=1", "-Dtimesync.port=" + timesync,
            "-Dwlevs.domain.home=" + other, "-Dflag", "dev.millrace.launcher.Main")));
        final NetworkAddress address =
            new NetworkAddress("NetIO", "127.0.0.1", management, new SourcePosition("config.xml", 5, 3));
        return PortCheck.problems(address, properties, List.of(neighbour)).stream().map(Problem::format).toList();
    }

    @Test
    void shouldNameEachPortAndWhoHasItWhenADomainWasCopiedWithoutChange()
    {
        final List<String> problems = problems(9002, "9001", "9011");
        assertThat(problems).hasSize(3).allMatch(problem -> problem.contains("domain=" + other + " pid=4711"))
            .allMatch(problem -> problem.contains("hint: "));
        assertThat(problems.get(0)).contains("SRV-0139", "port=9001 property=loadgen.port");
        assertThat(problems.get(1)).contains("SRV-0139", "port=9011 property=timesync.port");
        assertThat(problems.get(2)).contains("config.xml:5", "SRV-0111", "port=9002 netio=NetIO");
    }

    @Test
    void shouldSayNothingWhenAllPortsDifferOrAreChosenLater()
    {
        assertThat(problems(9102, "9101", "9111")).isEmpty();
        assertThat(problems(0, "9101", "9111")).isEmpty();
    }

    @Test
    void shouldPassOverAProcessOfTheSameDomainWhichHasStoppedAndIsAboutToEnd()
    {
        assertThat(problems(9002, "9001", "9011",
            name -> name.equals("wlevs.domain.home") ? other.toString() : PORTS.get(name))).isEmpty();
    }

    @Test
    void shouldGoByWhereTheOtherListensWhenItHasSaidSo() throws IOException
    {
        Files.writeString(other.resolve("var/management.url"), "http://127.0.0.1:9202\n");
        assertThat(problems(9002, "1", "2")).isEmpty();
        assertThat(problems(9202, "1", "2")).hasSize(1);
    }

    @Test
    void shouldLeaveItToListeningWhenTheFilesOfTheOtherCannotBeRead() throws IOException
    {
        Files.writeString(other.resolve("config/config.xml"), "<config");
        assertThat(problems(9002, "1", "2")).isEmpty();
    }

    @Test
    void shouldSeeNoInstanceAmongProcessesThatAreNone()
    {
        assertThat(RunningInstance.olderThan(ProcessHandle.current()))
            .noneMatch(neighbour -> neighbour.pid() == ProcessHandle.current().pid());
    }
}
