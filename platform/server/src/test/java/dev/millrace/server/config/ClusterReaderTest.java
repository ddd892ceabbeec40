package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.spi.ClusterConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cluster element of config.xml. */
@Timeout(60)
class ClusterReaderTest
{
    @TempDir
    private Path domain;

    private ServerConfiguration read(final String cluster) throws Exception
    {
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("config/config.xml"), """
            <config xmlns='http://www.bea.com/ns/wlevs/config/server'>
            <cluster>
            %s
            </cluster>
            </config>
            """.formatted(cluster));
        return ServerConfigurationReader.read(domain);
    }

    private DeploymentException refused(final String cluster)
    {
        return catchThrowableOfType(DeploymentException.class, () -> read(cluster));
    }

    @Test
    void shouldTakePartOnLoopbackWithASmallPortRangeWhenOnlyTheNameIsGiven() throws Exception
    {
        final ClusterConfiguration cluster =
            read("<server-name>server1</server-name><enabled>true</enabled>").cluster();
        assertThat(cluster.serverName()).isEqualTo("server1");
        assertThat(cluster.host()).isEqualTo("127.0.0.1");
        assertThat(cluster.addresses()).containsExactly("127.0.0.1:48500..48519");
        assertThat(cluster.groups()).isEmpty();
        assertThat(cluster.identity()).isEqualTo(ClusterConfiguration.NO_IDENTITY);
        assertThat(cluster.failureDetectionMs()).isEqualTo(10_000);
        assertThat(cluster.encryption()).isNull();
    }

    @Test
    void shouldReadWhatDomainsOfOepSay() throws Exception
    {
        final ServerConfiguration configuration = read("""
            <server-name>server2</server-name>
            <server-host-name>localhost</server-host-name>
            <multicast-address>239.255.0.1</multicast-address>
            <multicast-port>9001</multicast-port>
            <identity>2</identity>
            <enabled>coherence</enabled>
            <security>none</security>
            <groups>AllDomainMembers, selector,strategy</groups>""");
        assertThat(configuration.cluster().host()).isEqualTo("127.0.0.1");
        assertThat(configuration.cluster().identity()).isEqualTo(2);
        assertThat(configuration.cluster().groups()).containsExactlyInAnyOrder("selector", "strategy");
        assertThat(configuration.cluster().allGroups())
            .containsExactlyInAnyOrder("selector", "strategy", "AllDomainMembers", "server2");
        assertThat(configuration.notUsedYet()).containsExactly("multicast-address (line 5)", "multicast-port (line 6)");
    }

    @Test
    void shouldReadAddressesPortsAndEncryption() throws Exception
    {
        Files.createDirectories(domain.resolve("config"));
        Files.createFile(domain.resolve("config/key.p12"));
        Files.createFile(domain.resolve("config/trust.p12"));
        final ClusterConfiguration cluster = read("""
            <server-name>server3</server-name>
            <enabled>true</enabled>
            <address-list>10.0.0.1:48500, cep2:48500..48503</address-list>
            <discovery-port>49000</discovery-port>
            <communication-port>49100</communication-port>
            <port-range>5</port-range>
            <failure-detection-millis>3000</failure-detection-millis>
            <security>encrypt</security>
            <key-store>key.p12</key-store>
            <trust-store>trust.p12</trust-store>
            <store-password>secret</store-password>""").cluster();
        assertThat(cluster.addresses()).containsExactly("10.0.0.1:48500", "cep2:48500..48503");
        assertThat(cluster.discoveryPort()).isEqualTo(49_000);
        assertThat(cluster.communicationPort()).isEqualTo(49_100);
        assertThat(cluster.portCount()).isEqualTo(5);
        assertThat(cluster.failureDetectionMs()).isEqualTo(3_000);
        assertThat(cluster.encryption().keyStore()).isEqualTo(domain.resolve("config/key.p12"));
        assertThat(cluster.encryption().password()).isEqualTo("secret");
        assertThat(cluster.encryption().toString()).doesNotContain("secret");
    }

    @Test
    void shouldAskByMulticastOnlyWhereOtherMachinesCanAnswer() throws Exception
    {
        Files.createDirectories(domain.resolve("config"));
        Files.createFile(domain.resolve("config/key.p12"));
        final String members = """
            <server-name>server3</server-name>
            <enabled>true</enabled>
            <server-host-name>192.0.2.7</server-host-name>
            <security>encrypt</security>
            <key-store>key.p12</key-store>
            <trust-store>key.p12</trust-store>
            <store-password>secret</store-password>""";
        assertThat(read(members).cluster().multicast()).as("off by default").isNull();
        assertThat(read(members + "<multicast-address>239.255.0.1</multicast-address>").cluster().multicast())
            .isEqualTo(new ClusterConfiguration.Multicast("239.255.0.1", 9_001));
        final ServerConfiguration withPort = read(
            members + "<multicast-address>239.255.0.1</multicast-address><multicast-port>47400</multicast-port>");
        assertThat(withPort.cluster().multicast().port()).isEqualTo(47_400);
        assertThat(withPort.notUsedYet()).isEmpty();
        assertThat(read(members + "<multicast-port>47400</multicast-port>").notUsedYet()).hasSize(1);
        assertThat(refused(members + "<multicast-address>10.0.0.1</multicast-address>"))
            .hasMessageContaining("SRV-0127").hasMessageContaining("239.255.0.1");
    }

    @Test
    void shouldRunAloneWhenSwitchedOff() throws Exception
    {
        final ServerConfiguration off = read("<server-name>a</server-name><enabled>false</enabled>");
        assertThat(off.cluster()).isNull();
        assertThat(off.notUsedYet()).isEmpty();
        final ServerConfiguration unsaid = read("<server-name>a</server-name>");
        assertThat(unsaid.cluster()).isNull();
        assertThat(unsaid.notUsedYet()).containsExactly("cluster (line 2)");
    }

    /** Without configured certificates, members derive them from the secret of the domain, on every address. */
    @Test
    void shouldListenElsewhereWithoutStoresOfItsOwn() throws Exception
    {
        final ClusterConfiguration cluster = read("""
            <server-name>a</server-name>
            <enabled>true</enabled>
            <server-host-name>192.0.2.7</server-host-name>""").cluster();
        assertThat(cluster.host()).isEqualTo("192.0.2.7");
        assertThat(cluster.encryption()).isNull();
    }

    @Test
    void shouldReportEachWrongValueWithItsPlace()
    {
        final DeploymentException refused = refused("""
            <server-name>two words</server-name>
            <enabled>true</enabled>
            <identity>0</identity>
            <groups>good,not good</groups>
            <address-list>10.0.0.1, host:1..70000</address-list>
            <security>perhaps</security>
            <port-range>many</port-range>
            <server-host-name>[no address]</server-host-name>
            <multi-cast>on</multi-cast>""");
        assertThat(refused.problems()).extracting(problem -> problem.position().line() + " " + problem.code())
            .containsExactlyInAnyOrder("3 SRV-0122", "5 SRV-0108", "6 SRV-0122", "7 SRV-0123", "7 SRV-0123",
                "8 SRV-0124", "9 SRV-0108", "10 SRV-0105", "11 SRV-0109");
    }

    @Test
    void shouldRefuseEncryptionWithoutStores()
    {
        final DeploymentException refused = refused("""
            <server-name>a</server-name>
            <enabled>true</enabled>
            <security>encrypt</security>
            <key-store>missing.p12</key-store>
            <store-password>${MILLRACE_NO_SUCH_VARIABLE}</store-password>""");
        assertThat(refused.problems()).extracting(problem -> problem.position().line() + " " + problem.code())
            .containsExactlyInAnyOrder("6 SRV-0125", "7 SRV-0117", "2 SRV-0126");
        assertThat(refused).hasMessageContaining("missing=trust-store");
    }
}
