package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class ServerConfigurationReaderTest
{
    private static final String OEP = "http://www.bea.com/ns/wlevs/config/server";

    @TempDir
    private Path domain;

    @Test
    void shouldUseWhatHasAnEnginePartWhenTheFileIsOneOfARealDomain() throws Exception
    {
        write("""
            <n1:config xmlns:n1="%s">
              <domain><name>signals</name></domain>
              <netio><name>NetIO</name><port>19102</port></netio>
              <netio><name>Other</name><port>19103</port><listen-address>localhost</listen-address></netio>
              <work-manager>
                <name>JettyWorkManager</name>
                <min-threads-constraint>5</min-threads-constraint>
                <max-threads-constraint>10</max-threads-constraint>
              </work-manager>
              <jetty>
                <name>JettyServer</name>
                <network-io-name>Other</network-io-name>
                <work-manager-name>JettyWorkManager</work-manager-name>
                <scratch-directory>Jetty</scratch-directory>
              </jetty>
              <rmi><name>RMI</name><http-service-name>JettyServer</http-service-name></rmi>
              <jndi-context><name>JNDI</name></jndi-context>
              <exported-jndi-context><name>exportedJndi</name></exported-jndi-context>
              <jmx><rmi-service-name>RMI</rmi-service-name></jmx>
              <use-secure-connections><value>false</value></use-secure-connections>
              <show-detail-error-message><value>true</value></show-detail-error-message>
              <cluster><server-name>one</server-name><enabled>false</enabled></cluster>
              <cql><workers>2</workers></cql>
            </n1:config>
            """.formatted(OEP));

        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);

        assertThat(configuration.domainName()).isEqualTo("signals");
        assertThat(configuration.management().port()).isEqualTo(19103);
        assertThat(configuration.management().host()).isEqualTo("localhost");
        assertThat(configuration.httpWorkManager()).isEqualTo("JettyWorkManager");
        assertThat(configuration.workManagers().get("JettyWorkManager").maxThreads()).isEqualTo(10);
        assertThat(configuration.workManagers()).containsKey(ServerConfiguration.DEFAULT_WORK_MANAGER);
        assertThat(configuration.defaultWorkers()).isEqualTo(2);
        assertThat(configuration.notUsedYet()).containsExactly("scratch-directory (line 14)", "rmi (line 16)",
            "jndi-context (line 17)", "exported-jndi-context (line 18)", "jmx (line 19)",
            "show-detail-error-message (line 21)", "cluster (line 22)");
    }

    @Test
    void shouldFillInDefaultsWhenTheFileSaysNothing() throws Exception
    {
        write("<config xmlns='https://millrace.dev/ns/config/server'/>");

        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);

        assertThat(configuration.management().port()).isEqualTo(9002);
        assertThat(configuration.management().host()).isEqualTo("127.0.0.1");
        assertThat(configuration.defaultWorkers()).isEqualTo(1);
        assertThat(configuration.notUsedYet()).isEmpty();
    }

    @Test
    void shouldReportAllProblemsWithTheirPlacesWhenBehaviourWouldDiffer() throws Exception
    {
        write("""
            <n1:config xmlns:n1="%s">
              <netio><name>NetIO</name><port>70000</port></netio>
              <netio>
                <name>sslNetIo</name>
                <ssl-config-bean-name>sslConfig</ssl-config-bean-name>
                <listen-address>192.0.2.1</listen-address>
              </netio>
              <cluster><enabled>coherence</enabled></cluster>
              <nettio/>
              <jetty><network-io-name>Missing</network-io-name></jetty>
              <cql><workers>many</workers></cql>
            </n1:config>
            """.formatted(OEP));

        final DeploymentException refused = refused();

        assertThat(refused.problems()).extracting(problem -> problem.position().line() + " " + problem.code())
            .containsExactlyInAnyOrder("2 SRV-0108", "5 SRV-0107", "6 SRV-0105", "8 SRV-0106", "9 SRV-0109",
                "10 SRV-0103", "11 SRV-0108");
        assertThat(refused).hasMessageContaining("config.xml:9:").hasMessageContaining("nettio");
    }

    @Test
    void shouldRefuseDoctypeAndForeignNamespaceAndMissingFile() throws Exception
    {
        assertThat(refused().problems().get(0).code()).isEqualTo("SRV-0101");

        write("<!DOCTYPE config SYSTEM 'file:///etc/passwd'><config/>");
        assertThat(refused()).hasMessageContaining("DOCTYPE");

        write("<config xmlns='http://example.org/other'/>");
        assertThat(refused().problems().get(0).code()).isEqualTo("SRV-0102");
    }

    private DeploymentException refused()
    {
        return catchThrowableOfType(DeploymentException.class, () -> ServerConfigurationReader.read(domain));
    }

    private void write(final String text) throws IOException
    {
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("config").resolve("config.xml"), text);
    }
}
