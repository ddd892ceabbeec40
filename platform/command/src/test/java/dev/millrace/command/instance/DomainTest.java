package dev.millrace.command.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DomainTest
{
    private static final Path SOURCES = Path.of("../../domains/defaultserver").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private Home home;

    @BeforeEach
    void makeHome() throws IOException
    {
        home = new Home(directory.resolve("home"));
        final Path template = home.domains().resolve("defaultserver");
        Files.createDirectories(template.resolve("config"));
        Files.createDirectories(template.resolve("var"));
        Files.writeString(template.resolve("var/admin.token"), "secret");
        for (final String file : new String[] {"startwlevs.sh", "stopwlevs.sh", "config/config.xml"})
        {
            Files.copy(SOURCES.resolve(file), template.resolve(file));
        }
    }

    @Test
    void shouldEditPortsNameAndHomeWhenADomainIsCreated() throws IOException
    {
        final Domain domain =
            DomainTemplate.create(home, directory.resolve("market"), new Ports(19002, 19001, 19011), 2);
        assertThat(domain.netioPort()).isEqualTo(19002);
        assertThat(domain.url()).isEqualTo("http://127.0.0.1:19002");
        assertThat(Files.readString(domain.directory().resolve("startwlevs.sh")))
            .contains("-Dloadgen.port=19001 -Dtimesync.port=19011").contains(home.directory().toString());
        assertThat(Files.readString(domain.directory().resolve("config/config.xml")))
            .contains("<name>market_domain</name>").contains("<workers>2</workers>");
        assertThat(Files.getPosixFilePermissions(domain.directory())).hasSize(3);
        assertThat(Files.getPosixFilePermissions(domain.directory().resolve("config/config.xml")))
            .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        assertThat(domain.token()).isEmpty();
        assertThat(domain.pid()).isEmpty();
    }

    @Test
    void shouldRefuseWhenTheDirectoryHoldsADomain() throws IOException
    {
        final Path target = home.domains().resolve("defaultserver");
        assertThatThrownBy(() -> DomainTemplate.create(home, target, new Ports(1, 2, 3), 0))
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0114");
    }

    @Test
    void shouldRefuseWhenTheDirectoryIsNoDomain()
    {
        assertThatThrownBy(() -> Domain.find(directory)).isInstanceOfSatisfying(CommandException.class, e ->
        {
            assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(e).hasMessageContaining("CMD-0111").hasMessageContaining("hint:");
        });
    }

    @Test
    void shouldSkipRemarksAndTlsPortsWhenThePortIsLookedUp() throws IOException
    {
        final Path config = home.domains().resolve("defaultserver/config/config.xml");
        Files.writeString(config, """
            <config><!-- <netio><name>x</name><port>1</port></netio> -->
              <netio><name>sslNetIo</name><ssl-config-bean-name>ssl</ssl-config-bean-name><port>9003</port></netio>
              <netio><name>NetIO</name><port> 9102 </port></netio></config>""");
        assertThat(new Domain(home.domains().resolve("defaultserver")).netioPort()).isEqualTo(9102);
    }

    @Test
    void shouldLeaveNothingWhenADomainIsDeleted() throws IOException
    {
        final Domain domain = DomainTemplate.create(home, directory.resolve("gone"), new Ports(1, 2, 3), 0);
        Files.createSymbolicLink(domain.directory().resolve("link"), home.directory());
        DirectoryDeletion.delete(domain.directory());
        assertThat(domain.directory()).doesNotExist();
        assertThat(home.directory()).exists();
    }
}
