package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClonePlanTest
{
    private static final Path SOURCES = Path.of("../../domains/defaultserver").toAbsolutePath().normalize();

    private static final String CLUSTER = """
        <n1:config xmlns:n1="http://www.bea.com/ns/wlevs/config/server">
          <!-- <cluster><server-name>remark</server-name><identity>7</identity></cluster> <port>1</port> -->
          <netio><name>NetIO</name><port>9002</port></netio>
          <netio>
            <name>sslNetIo</name>
            <ssl-config-bean-name>ssl</ssl-config-bean-name>
            <port> 9003 </port>
          </netio>
          <domain><name>exchange</name></domain>
          <cluster>
            <server-name>defaultserver</server-name>
            <identity>1</identity>
            <groups>market</groups>
          </cluster>
        </n1:config>
        """;

    @TempDir
    private Path directory;

    private Domain source;

    @BeforeEach
    void makeSource() throws IOException
    {
        source = new Domain(directory.resolve("defaultserver"));
        for (final String sub : List.of("config", "var", "logs", "applications/app"))
        {
            Files.createDirectories(source.directory().resolve(sub));
        }
        for (final String file : List.of("startwlevs.sh", "stopwlevs.sh", "config/config.xml"))
        {
            Files.copy(SOURCES.resolve(file), source.directory().resolve(file));
        }
        Files.writeString(source.directory().resolve("var/admin.token"), "secret");
        Files.writeString(source.directory().resolve("logs/server.log"), "old");
        Files.writeString(source.directory().resolve("applications/app/app.jar"), "jar");
        assertThat(source.directory().resolve("startwlevs.sh").toFile().setExecutable(true)).isTrue();
    }

    private static ClonePlan.Wish wish(final int count)
    {
        return new ClonePlan.Wish("defaultserver", 1, count, 100, OptionalInt.empty(), ProcessorSets.NONE);
    }

    private static ClonePlan.Wish from(final int port, final int step)
    {
        return new ClonePlan.Wish("market", 1, 3, step, OptionalInt.of(port), ProcessorSets.NONE);
    }

    private static ClonePlan.Wish other(final int count, final int port)
    {
        return new ClonePlan.Wish("other", 1, count, 100, OptionalInt.of(port), ProcessorSets.NONE);
    }

    private List<Domain> clone(final ClonePlan.Wish wish) throws IOException
    {
        final ClonePlan plan = ClonePlan.of(source, wish);
        try (DomainStaging staged = new DomainStaging(directory))
        {
            for (int i = 0; i < plan.count(); i++)
            {
                plan.copy(i, staged);
            }
            return staged.publish();
        }
    }

    private List<String> children() throws IOException
    {
        try (var paths = Files.list(directory))
        {
            return paths.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldNumberNamesAndPortsWhenADomainIsCloned() throws IOException
    {
        final List<Domain> domains = clone(from(19_101, 20));
        assertThat(domains).extracting(Domain::name).containsExactly("market1", "market2", "market3");
        assertThat(domains.get(0).ports()).extracting(NamedPort::toString)
            .containsExactly("loadgen=19101", "timesync=19111", "netio=19102");
        assertThat(domains.get(2).ports()).extracting(NamedPort::toString)
            .containsExactly("loadgen=19141", "timesync=19151", "netio=19142");
        assertThat(Files.isExecutable(domains.get(2).directory().resolve("startwlevs.sh"))).isTrue();
        assertThat(children()).containsExactly("defaultserver", "market1", "market2", "market3");
    }

    @Test
    void shouldStepFromTheSourceByTheNumberOfTheCopyWhenNoPortIsGiven() throws IOException
    {
        final ClonePlan.Wish third = new ClonePlan.Wish(
            "defaultserver", 103, 1, 100, OptionalInt.empty(), ProcessorSets.NONE);
        assertThat(clone(third).get(0).ports()).extracting(NamedPort::number).containsExactly(19_301, 19_311, 19_302);
    }

    @Test
    void shouldGiveCopiesTheSecretOfTheDomainForTheirOwnerOnly() throws IOException
    {
        ClusterSecret.make(source);
        final String secret = Files.readString(source.directory().resolve(ClusterSecret.FILE));
        assertThat(secret).matches("[0-9a-f]{64}\n");
        for (final Domain copy : clone(from(19_101, 20)))
        {
            final Path file = copy.directory().resolve(ClusterSecret.FILE);
            assertThat(file).hasContent(secret);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        }
        assertThatThrownBy(() -> ClusterSecret.make(source)).hasMessageContaining("CMD-0117");
    }

    @Test
    void shouldLeaveWhatARunHasLeftAndTakeDeployedApplicationsAlong() throws IOException
    {
        final Path copy = clone(from(19_101, 20)).get(1).directory();
        assertThat(copy.resolve("var")).doesNotExist();
        assertThat(copy.resolve("logs")).doesNotExist();
        assertThat(copy.resolve("applications/app/app.jar")).hasContent("jar");
    }

    @Test
    void shouldRenameTheMemberAndKeepTheDomainWhenThereIsACluster() throws IOException
    {
        Files.writeString(source.directory().resolve("config/config.xml"), CLUSTER);
        final Path copy = clone(from(19_101, 20)).get(2).directory();
        assertThat(copy.resolve("config/config.xml")).hasContent(CLUSTER
            .replace("<port>9002</port>", "<port>19142</port>").replace("<port> 9003 </port>", "<port> 19143 </port>")
            .replace("<server-name>defaultserver<", "<server-name>market3<")
            .replace("<identity>1<", "<identity>4<"));
    }

    @Test
    void shouldRefuseWithoutATraceWhenADomainBesideItHasAPort() throws IOException
    {
        clone(from(19_101, 20));
        final List<String> before = children();
        assertThatThrownBy(() -> clone(other(2, 19_121)))
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0116")
            .hasMessageContaining("loadgen=19121 (loadgen of market2)")
            .hasMessageContaining("netio=19122 (netio of market2)").hasMessageContaining("hint: --ports-from 19");
        assertThat(children()).isEqualTo(before);
    }

    @Test
    void shouldRefuseWhenAProcessListensOnAPort() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final int port = taken.getLocalPort();
            assertThatThrownBy(() -> clone(other(1, port)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("loadgen=" + port + " (a running process)");
        }
    }

    @Test
    void shouldRefuseWhenTheCopiesThemselvesCollideOrPortsEnd()
    {
        assertThatThrownBy(() -> clone(from(19_101, 10))).hasMessageContaining("(timesync of market1)");
        assertThatThrownBy(() -> clone(from(65_530, 10))).hasMessageContaining("(beyond 65535)");
    }

    @Test
    void shouldRefuseWhenANameIsThereOrHasWrongLetters() throws IOException
    {
        Files.createDirectory(directory.resolve("defaultserver2"));
        assertThatThrownBy(() -> clone(wish(2))).isInstanceOf(CommandException.class)
            .hasMessageContaining("CMD-0114").hasMessageContaining("[defaultserver2]").hasMessageContaining("--first");
        assertThatThrownBy(() -> clone(new ClonePlan.Wish("a b", 1, 1, 100, OptionalInt.empty(), ProcessorSets.NONE)))
            .hasMessageContaining("CMD-0118");
    }

    @Test
    void shouldRefuseWhenAnotherMemberHasTheName() throws IOException
    {
        Files.writeString(source.directory().resolve("config/config.xml"), CLUSTER.replace(
            "<server-name>defaultserver<", "<server-name>market2<"));
        assertThatThrownBy(() -> clone(from(19_101, 20))).isInstanceOf(CommandException.class)
            .hasMessageContaining("CMD-0119").hasMessageContaining("server-name=market2")
            .hasMessageContaining(source.directory().toString());
    }

    @Test
    void shouldLeaveNothingWhenACopyCannotGetItsName() throws IOException
    {
        final ClonePlan plan = ClonePlan.of(source, from(19_101, 20));
        try (DomainStaging staged = new DomainStaging(directory))
        {
            for (int i = 0; i < plan.count(); i++)
            {
                plan.copy(i, staged);
            }
            Files.createDirectories(directory.resolve("market3/meanwhile"));
            assertThatThrownBy(staged::publish).isInstanceOf(CommandException.class).hasMessageContaining("CMD-0114")
                .hasMessageContaining("market3");
        }
        assertThat(children()).containsExactly("defaultserver", "market3");
    }

    @Test
    void shouldDealProcessorSetsOutInTurn() throws IOException
    {
        final List<Domain> domains = clone(new ClonePlan.Wish("market", 1, 3, 20, OptionalInt.of(19_101),
            ProcessorSets.several("--processor-sets", "0-3+8,4-7")));
        assertThat(script(domains.get(0))).contains("\nPROCESSOR_SET=\"0-3,8\"\n");
        assertThat(script(domains.get(1))).contains("\nPROCESSOR_SET=\"4-7\"\n");
        assertThat(script(domains.get(2))).contains("\nPROCESSOR_SET=\"0-3,8\"\n").contains("loadgen.port=19141");
        assertThat(script(source)).contains("\nPROCESSOR_SET=\"\"\n");
    }

    private static String script(final Domain domain) throws IOException
    {
        return Files.readString(domain.directory().resolve("startwlevs.sh"));
    }

    @Test
    void shouldRefuseProcessorSetsThatNoScriptWouldTake()
    {
        for (final String bad : List.of("", "a", "0-", "0-3,,4", "01", "0;1", "1+"))
        {
            assertThatThrownBy(() -> ProcessorSets.several("--processor-sets", bad)).as(bad)
                .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0193").hasMessageContaining("hint: ");
        }
        assertThat(ProcessorSets.one("--processor-set", "0,2-3").sets()).containsExactly("0,2-3");
    }

    @Test
    void shouldListDomainsInTheOrderOfTheirNumbers() throws IOException
    {
        Files.move(directory.resolve("defaultserver"), directory.resolve("s1"));
        for (final String name : List.of("s10", "s2", ".hidden"))
        {
            Files.createDirectories(directory.resolve(name + "/config"));
            Files.createFile(directory.resolve(name + "/startwlevs.sh"));
            Files.createFile(directory.resolve(name + "/config/config.xml"));
        }
        assertThat(Domain.below(directory)).extracting(Domain::name).containsExactly("s1", "s2", "s10");
    }

    @Test
    void shouldChooseTheNextPortsThatNobodyHasWhenADomainIsCreated() throws IOException
    {
        final Home home = new Home(directory.resolve("home"));
        Files.createDirectories(home.domains());
        Files.move(source.directory(), home.domains().resolve("defaultserver"));
        final Domain first = DomainTemplate.create(home, home.domains().resolve("one"), new Ports(19_002, 19_001, 3),
            0);
        final Ports next = DomainTemplate.nextPorts(home, home.domains().resolve("two"));
        assertThat(next.netio() - next.loadgen()).isEqualTo(1);
        assertThat((next.netio() - 9_002) % 100).isZero();
        assertThatThrownBy(() -> DomainTemplate.check(home.domains().resolve("two"), new Ports(19_002, 19_001, 4)))
            .hasMessageContaining("netio=19002 (netio of one)");
        assertThat(first.netioPort()).isEqualTo(19_002);
    }
}
