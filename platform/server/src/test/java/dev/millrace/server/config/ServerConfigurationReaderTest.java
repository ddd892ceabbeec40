package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.DurabilitySettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
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
              <cql>
                <workers>2</workers><warm-up>false</warm-up><idle-state-time>6h</idle-state-time>
                <max-attempts>500</max-attempts>
              </cql>
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
        assertThat(configuration.idleStateTime()).isEqualTo(Duration.ofHours(6));
        assertThat(configuration.maxAttempts()).isEqualTo(500);
        assertThat(configuration.warmUp()).isFalse();
        assertThat(configuration.notUsedYet()).containsExactly("scratch-directory (line 14)", "rmi (line 16)",
            "jndi-context (line 17)", "exported-jndi-context (line 18)", "jmx (line 19)",
            "show-detail-error-message (line 21)");
    }

    @Test
    void shouldSayWhatIsMissingWhenSignaturesAreRequired() throws Exception
    {
        write("""
            <config xmlns="%s">
              <bundles><signature>required</signature></bundles>
            </config>
            """.formatted(OEP));
        assertThatThrownBy(() -> ServerConfigurationReader.read(domain)).hasMessageContaining("SRV-0147")
            .hasMessageContaining(":2:");
        write("""
            <config xmlns="%s">
              <bundles>
                <signature>always</signature>
                <trusted-certificates>nowhere.pem</trusted-certificates>
              </bundles>
            </config>
            """.formatted(OEP));
        assertThatThrownBy(() -> ServerConfigurationReader.read(domain)).hasMessageContaining("SRV-0149")
            .hasMessageContaining("SRV-0151").hasMessageContaining("nowhere.pem");
    }

    private DurabilitySettings durability(final String content) throws Exception
    {
        write("<config xmlns='" + OEP + "'>\n<durability>" + content + "</durability></config>");
        return ServerConfigurationReader.read(domain).durability();
    }

    @Test
    void shouldReadHowStateIsStored() throws Exception
    {
        assertThat(durability("")).isEqualTo(DurabilitySettings.DEFAULT);
        assertThat(durability("<sync>batch</sync><sync-interval>50ms</sync-interval>" +
            "<snapshot-interval>10s</snapshot-interval><max-pause>5ms</max-pause><file-size>64m</file-size>" +
            "<max-size>2t</max-size><min-free-space>0k</min-free-space><when-full>reject</when-full>" +
            "<retention>7d</retention>")).isEqualTo(new DurabilitySettings(SyncMode.BATCH, 50_000_000L,
            10_000_000_000L, 5_000_000L, 64L << 20, 2L << 40, 0, false, 7L * 24 * 3_600_000));
        assertThat(durability("<sync>none</sync><when-full>wait</when-full><retention>none</retention>"))
            .isEqualTo(new DurabilitySettings(SyncMode.NONE, 100_000_000L, 60_000_000_000L, 2_000_000L, 256L << 20,
                64L << 30, 1L << 30, true, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<sync>always</sync>", "<sync/>", "<sync-interval>0s</sync-interval>",
        "<sync-interval>none</sync-interval>", "<snapshot-interval>1 week</snapshot-interval>",
        "<max-pause>2</max-pause>",
        "<file-size>1k</file-size>", "<file-size>512</file-size>", "<max-size>9999999t</max-size>",
        "<max-size>64m</max-size>", "<min-free-space>-1m</min-free-space>", "<when-full>block</when-full>",
        "<retention>forever</retention>"})
    void shouldRefuseANonsensicalWayToStoreState(final String content)
    {
        assertThatThrownBy(() -> durability(content)).hasMessageContaining("SRV-0154").hasMessageContaining(":2:");
    }

    @Test
    void shouldFillInDefaultsWhenTheFileSaysNothing() throws Exception
    {
        write("<config xmlns='https://millrace.dev/ns/config/server'/>");

        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);

        assertThat(configuration.management().port()).isEqualTo(9002);
        assertThat(configuration.management().host()).isEqualTo("127.0.0.1");
        assertThat(configuration.defaultWorkers()).isEqualTo(1);
        assertThat(configuration.warmUp()).isTrue();
        assertThat(configuration.idleStateTime()).isZero();
        assertThat(configuration.durability()).isNull();
        assertThat(configuration.maxAttempts()).isEqualTo(10_000);
        assertThat(configuration.memoryBytes()).isBetween(1L << 20, Runtime.getRuntime().maxMemory() / 2);
        assertThat(configuration.notUsedYet()).isEmpty();
    }

    @Test
    void shouldReadAnEventStore() throws Exception
    {
        write("<config xmlns='" + OEP + "'><event-store><name>bank</name><directory>data/../recorded</directory>" +
            "<max-size>2g</max-size><min-free-space>0m</min-free-space></event-store></config>");
        assertThat(ServerConfigurationReader.read(domain).eventStore()).isEqualTo(
            new EventStoreSettings("bank", domain.toAbsolutePath().resolve("recorded"), 2L << 30, 0, null));
        write("<config xmlns='" + OEP + "'><event-store/></config>");
        assertThat(ServerConfigurationReader.read(domain).eventStore()).isEqualTo(new EventStoreSettings("events",
            domain.toAbsolutePath().resolve("var/events"), 64L << 30, 1L << 30, null));
    }

    @Test
    void shouldReadAnEventStoreInADatabase() throws Exception
    {
        final String source = "<data-source><name>bank</name><driver-params><url>jdbc:h2:mem:x</url>" +
            "<driver-name>org.h2.Driver</driver-name></driver-params></data-source>";
        write("<config xmlns='" + OEP + "'><rdbms-event-store-provider><name>rdbms</name>" +
            "<init-timeout>9</init-timeout><data-source-name>bank</data-source-name>" +
            "<table-prefix>ev_</table-prefix><batch-size>50</batch-size>" +
            "<buffer-size>2m</buffer-size></rdbms-event-store-provider>" + source + "</config>");
        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);
        assertThat(configuration.eventStore()).isEqualTo(new EventStoreSettings("rdbms", null, 0, 0,
            new EventStoreSettings.Tables("bank", "ev_", 50, 2L << 20)));
        assertThat(configuration.notUsedYet()).containsExactly("init-timeout (line 1)");
        write("<config xmlns='" + OEP + "'>" + source + "<rdbms-event-store-provider><data-source-name>bank" +
            "</data-source-name></rdbms-event-store-provider></config>");
        assertThat(ServerConfigurationReader.read(domain).eventStore()).isEqualTo(new EventStoreSettings("events",
            null, 0, 0, new EventStoreSettings.Tables("bank", "millrace_", 1_000, 16L << 20)));
    }

    @ParameterizedTest
    @CsvSource({"<event-store><max-size>1m</max-size></event-store>, SRV-0156, max-size=1m",
        "<event-store><max-size>big</max-size></event-store>, SRV-0156, at least 16m",
        "<event-store><min-free-space>-1g</min-free-space></event-store>, SRV-0156, min-free-space=-1g",
        "<event-store><name> </name></event-store>, SRV-0156, empty name",
        "<event-store><directory/></event-store>, SRV-0156, var/events",
        "<event-store/><event-store/>, SRV-0156, two event stores",
        "<event-store><path>x</path></event-store>, SRV-0109, path",
        "<bdb-config/>, SRV-0157, Berkeley DB", "<rdbms-event-store-provider/>, SRV-0156, add a data-source element",
        "<event-store/><rdbms-event-store-provider/>, SRV-0156, two event stores",
        "<rdbms-event-store-provider><table-prefix>1</table-prefix></rdbms-event-store-provider>, SRV-0156, prefix=1",
        "<rdbms-event-store-provider><buffer-size>1k</buffer-size></rdbms-event-store-provider>, SRV-0156, least 1m",
        "<rdbms-event-store-provider><user-policy-attributes/></rdbms-event-store-provider>, SRV-0157, attributes",
        "<event-store><rdbms-event-store-provider/></event-store>, SRV-0157, next to event-store",
        "<user-event-store-provider/>, SRV-0157, <event-store><name>events</name></event-store>",
        "<event-store><bdb-config/></event-store>, SRV-0157, Berkeley DB"})
    void shouldRefuseEventStoresThatItCannotUse(final String elements, final String code, final String text)
        throws Exception
    {
        write("<config xmlns='" + OEP + "'>\n" + elements + "</config>");
        assertThatThrownBy(() -> ServerConfigurationReader.read(domain)).hasMessageContaining(code)
            .hasMessageContaining(":2:").hasMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({"20m, 20971520", "3000K, 3072000", "1G, 1073741824", "50%, 1073741824"})
    void shouldTakeALimitOfMemoryAsASizeOrAsAShareOfTheHeap(final String limit, final long bytes) throws Exception
    {
        assertThat(memory(limit, 1L << 31)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0%", "1023k", "512", "-5m", "81%", "2g", "99999999999m", "a lot", "1.5g"})
    void shouldRefuseANonsensicalLimitOfMemory(final String limit)
    {
        assertThatThrownBy(() -> memory(limit, 1L << 31)).hasMessageContaining("SRV-0152")
            .hasMessageContaining("limit=" + limit + " heap=2048m").hasMessageContaining("80% of the heap");
    }

    @Test
    void shouldLeaveRoomForThePlatformWhenNoLimitIsGiven()
    {
        assertThat(MemoryBudget.defaultBytes(64L << 20)).isEqualTo(16L << 20);
        assertThat(MemoryBudget.defaultBytes(512L << 20)).isEqualTo(240L << 20);
    }

    private long memory(final String limit, final long heapBytes) throws Exception
    {
        final ConfigurationProblems problems = new ConfigurationProblems(name -> null, domain.resolve("key"));
        final byte[] file = ("<memory><limit>" + limit + "</limit></memory>").getBytes(StandardCharsets.UTF_8);
        final long bytes = new MemoryReader(heapBytes, problems)
            .read(XmlElement.read(new ByteArrayInputStream(file), "config.xml"));
        if (problems.size() > 0)
        {
            throw new DeploymentException(problems.all());
        }
        return bytes;
    }

    @Test
    void shouldReportAllProblemsWithTheirPlacesWhenBehaviourWouldDiffer() throws Exception
    {
        write("""
            <n1:config xmlns:n1="%s">
              <netio><name>NetIO</name><port>70000</port></netio>
              <netio>
                <name>sslNetIo</name>
                <provider-type>NIO</provider-type>
                <listen-address>192.0.2.1</listen-address>
              </netio>
              <cluster><enabled>perhaps</enabled></cluster>
              <nettio/>
              <jetty><network-io-name>Missing</network-io-name></jetty>
              <cql><workers>many</workers><warm-up>maybe</warm-up></cql>
              <memory><limit>none</limit><share>1</share></memory>
              <cql><idle-state-time>soon</idle-state-time></cql>
              <cql><max-attempts>0</max-attempts></cql>
            </n1:config>
            """.formatted(OEP));

        final DeploymentException refused = refused();

        assertThat(refused.problems()).extracting(problem -> problem.position().line() + " " + problem.code())
            .containsExactlyInAnyOrder("2 SRV-0108", "6 SRV-0105", "8 SRV-0120", "8 SRV-0121",
                "9 SRV-0109", "10 SRV-0103", "11 SRV-0108", "11 SRV-0120",
                "12 SRV-0152", "12 SRV-0109", "13 SRV-0153", "14 SRV-0108");
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

    private static final String SOURCE = """
        <n1:config xmlns:n1="%s">
        <data-source><name>db</name>
        <connection-pool-params><initial-capacity>2</initial-capacity><max-capacity>5</max-capacity>
        <test-table-name>T</test-table-name></connection-pool-params>
        <driver-params><url>jdbc:h2:tcp://127.0.0.1:${test.port}/x</url><driver-name>org.h2.Driver</driver-name>
        <properties><element><name>user</name><value>sa</value></element></properties>
        <use-xa-data-source-interface>false</use-xa-data-source-interface></driver-params>
        <data-source-params><jndi-names><element>jdbc/db</element></jndi-names>
        <global-transactions-protocol>None</global-transactions-protocol></data-source-params>
        </data-source></n1:config>
        """.formatted(OEP);

    @Test
    void shouldReadDataSourcesAsDomainsHaveThem() throws Exception
    {
        System.setProperty("test.port", "9123");
        try
        {
            write(SOURCE);
            final ServerConfiguration configuration = ServerConfigurationReader.read(domain);

            assertThat(configuration.dataSources()).hasSize(1);
            final DataSourceSettings source = configuration.dataSources().get(0);
            assertThat(source.name()).isEqualTo("db");
            assertThat(source.jndiNames()).containsExactly("jdbc/db");
            assertThat(source.url()).isEqualTo("jdbc:h2:tcp://127.0.0.1:9123/x");
            assertThat(source.driver()).isEqualTo("org.h2.Driver");
            assertThat(source.properties()).containsEntry("user", "sa");
            assertThat(source.initialCapacity()).isEqualTo(2);
            assertThat(source.maxCapacity()).isEqualTo(5);
            assertThat(source.timeoutMs()).isEqualTo(DataSourceSettings.DEFAULT_TIMEOUT_MS);
            assertThat(source.toString()).contains("db").doesNotContain("sa,");
            assertThat(configuration.notUsedYet()).containsExactly("test-table-name (line 4)");
        }
        finally
        {
            System.clearProperty("test.port");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<name>db</name>|<nam>db</nam>|SRV-0109|name=nam",
        "<name>db</name>||SRV-0114|missing=name",
        "<driver-name>org.h2.Driver</driver-name>||SRV-0114|missing=driver-params/driver-name",
        "<max-capacity>5</max-capacity>|<max-capacity>1</max-capacity>|SRV-0129|greater than max-capacity",
        "<max-capacity>5</max-capacity>|<max-capacity>many</max-capacity>|SRV-0108|max-capacity=many",
        "<value>sa</value>|<value>${no.such.name}</value>|SRV-0117|name=no.such.name",
        "<value>sa</value>||SRV-0114|invalid driver property",
        "interface>false<|interface>true<|SRV-0116|transactions across several resources",
        "protocol>None<|protocol>TwoPhaseCommit<|SRV-0116|TwoPhaseCommit",
        "<properties>|<password-encrypted>x</password-encrypted><properties>|SRV-0115|not a value encrypted",
        "</data-source></n1:config>|</data-source><data-source><name>db</name><driver-params><url>u</url>" +
            "<driver-name>d</driver-name></driver-params></data-source></n1:config>|SRV-0104|the same name"})
    void shouldRefuseWrongDataSources(
        final String right, final String wrong, final String code, final String text) throws Exception
    {
        final String file = SOURCE.replace("${test.port}", "1");
        assertThat(file).contains(right);
        write(file.replace(right, wrong == null ? "" : wrong));

        final DeploymentException refused =
            catchThrowableOfType(DeploymentException.class, () -> ServerConfigurationReader.read(domain));

        assertThat(refused.problems().get(0).code()).as(refused.getMessage()).isEqualTo(code);
        assertThat(refused.problems().get(0).text()).contains(text);
        assertThat(refused.problems().get(0).hint()).isNotBlank();
        assertThat(refused.problems().get(0).position().line()).isGreaterThan(1);
    }
}
