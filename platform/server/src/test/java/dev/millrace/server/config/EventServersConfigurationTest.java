package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The {@code jetty} elements with the purpose {@code events}. */
@Timeout(60)
class EventServersConfigurationTest
{
    private static final String NETIO = """
          <netio><name>events</name><port>9080</port></netio>
          <netio><name>NetIO</name><port>9002</port></netio>
          <netio><name>secureEvents</name><listen-address>0.0.0.0</listen-address><port>9443</port>
            <ssl-config-bean-name>keys</ssl-config-bean-name></netio>
          <ssl><name>keys</name><key-store>events.p12</key-store></ssl>
        """;
    private static final String MANAGEMENT =
        "<jetty><name>JettyServer</name><network-io-name>NetIO</network-io-name></jetty>";
    private static final String EVENTS = """
        <jetty><purpose>events</purpose><name>Events</name><network-io-name>events</network-io-name>
          <secure-network-io-name>secureEvents</secure-network-io-name></jetty>
        """;

    @TempDir
    private Path domain;

    private ServerConfiguration read(final String... parts) throws Exception
    {
        write(parts);
        return ServerConfigurationReader.read(domain);
    }

    private void write(final String... parts) throws IOException
    {
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("config/config.xml"), "<n1:config xmlns:n1=\"" +
            "http://www.bea.com/ns/wlevs/config/server\">\n" + String.join("", parts) + "</n1:config>\n");
    }

    private List<String> refused(final String... parts) throws IOException
    {
        write(parts);
        final DeploymentException refused =
            catchThrowableOfType(DeploymentException.class, () -> ServerConfigurationReader.read(domain));
        assertThat(refused).isNotNull();
        return refused.problems().stream().map(problem -> problem.code() + " " + problem.text()).toList();
    }

    @Test
    void shouldReadServerForEventsWithBothPorts() throws Exception
    {
        final ServerConfiguration configuration = read(NETIO, MANAGEMENT, EVENTS);

        assertThat(configuration.management().port()).isEqualTo(9002);
        assertThat(configuration.secure()).isNull();
        assertThat(configuration.eventServers()).singleElement().satisfies(server ->
        {
            assertThat(server.name()).isEqualTo("Events");
            assertThat(server.plain().port()).isEqualTo(9080);
            assertThat(server.plain().host()).isEqualTo("127.0.0.1");
            assertThat(server.secure().address().port()).isEqualTo(9443);
            assertThat(server.secure().address().host()).isEqualTo("0.0.0.0");
            assertThat(server.secure().tls().name()).isEqualTo("keys");
        });
        assertThat(configuration.notUsedYet()).isEmpty();
    }

    @Test
    void shouldNotUsePortForEventsForManagement() throws Exception
    {
        final ServerConfiguration configuration =
            read(NETIO, MANAGEMENT.replace("<network-io-name>NetIO</network-io-name>", ""), EVENTS);

        assertThat(configuration.management().port()).isEqualTo(9002);
    }

    @Test
    void shouldNotNeedElementOfManagementEndpoint() throws Exception
    {
        final ServerConfiguration configuration = read(EVENTS, NETIO);

        assertThat(configuration.management().port()).isEqualTo(9002);
        assertThat(configuration.eventServers()).hasSize(1);
    }

    @Test
    void shouldHaveNoServerForEventsWithoutPurpose() throws Exception
    {
        assertThat(read(NETIO, MANAGEMENT).eventServers()).isEmpty();
        assertThat(refused(NETIO, MANAGEMENT, EVENTS.replace("<purpose>events</purpose>", ""))).singleElement()
            .asString().isEqualTo("SRV-0166 two jetty elements declare the management endpoint, name=Events");
        assertThat(refused(NETIO, EVENTS.replace(">events</p", ">other</p"))).singleElement().asString()
            .isEqualTo("SRV-0105 no such purpose, purpose=other");
    }

    @Test
    void shouldRefuseServerForEventsWithoutNameOrPort() throws Exception
    {
        assertThat(refused(NETIO, MANAGEMENT, EVENTS.replace("<name>Events</name>", ""))).singleElement().asString()
            .startsWith("SRV-0164 a server for events has no name or no port");
        assertThat(refused(NETIO, MANAGEMENT, "<jetty><name>Events</name><purpose>events</purpose></jetty>"))
            .singleElement().asString().startsWith("SRV-0164");
    }

    @Test
    void shouldRefusePortOfTwoServers() throws Exception
    {
        assertThat(refused(NETIO, MANAGEMENT, EVENTS.replace("io-name>events<", "io-name>NetIO<"))).singleElement()
            .asString().isEqualTo("SRV-0165 two servers use the same port, netio=NetIO");
        assertThat(refused(NETIO, MANAGEMENT, EVENTS, EVENTS)).singleElement().asString()
            .isEqualTo("SRV-0104 two jetty elements have the same name, name=Events");
    }

    @Test
    void shouldRefuseWrongPortsOfServerForEvents() throws Exception
    {
        assertThat(refused(NETIO, MANAGEMENT, EVENTS.replace("io-name>events<", "io-name>none<"))).singleElement()
            .asString()
            .startsWith("SRV-0103 no element with this name, element=netio name=none");
        assertThat(refused(NETIO, MANAGEMENT, EVENTS.replace("secureEvents", "events").replace(
            "<network-io-name>events</network-io-name>", ""))).singleElement().asString().startsWith("SRV-0162");
    }
}
