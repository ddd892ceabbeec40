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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elements {@code ssl}, {@code netio} and {@code jetty} as the configuration wizard of Oracle writes them. */
@Timeout(60)
class TlsConfigurationTest
{
    private static final String SSL = """
          <ssl>
            <name>sslConfig</name>
            <key-store>./ssl/evsidentity.jks</key-store>
            <key-store-pass><password>secret</password></key-store-pass>
            <key-store-alias>evsidentity</key-store-alias>
            <key-manager-algorithm>SunX509</key-manager-algorithm>
            <ssl-protocol>TLS</ssl-protocol>
            <enforce-fips>false</enforce-fips>
            <need-client-auth>false</need-client-auth>
          </ssl>
        """;
    private static final String NETIO = """
          <netio><name>NetIO</name><port>9002</port></netio>
          <netio><name>sslNetIo</name><ssl-config-bean-name>sslConfig</ssl-config-bean-name><port>9003</port></netio>
        """;
    private static final String JETTY = """
          <jetty><name>JettyServer</name><network-io-name>NetIO</network-io-name>
            <secure-network-io-name>sslNetIo</secure-network-io-name></jetty>
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
        assertThat(refused.problems()).allSatisfy(problem -> assertThat(problem.hint()).isNotEmpty());
        return refused.problems().stream()
            .map(problem -> problem.position().line() + " " + problem.code() + " " + problem.text()).toList();
    }

    @Test
    void shouldReadSecurePortAsTheWizardWritesIt() throws Exception
    {
        final ServerConfiguration configuration = read(NETIO, SSL, JETTY);

        assertThat(configuration.management().port()).isEqualTo(9002);
        assertThat(configuration.secure().address().port()).isEqualTo(9003);
        assertThat(configuration.secure().address().host()).isEqualTo("127.0.0.1");
        final TlsSettings tls = configuration.secure().tls();
        assertThat(tls.keyStore().file()).isEqualTo(domain.toAbsolutePath().resolve("ssl/evsidentity.jks"));
        assertThat(tls.keyStore().password()).isEqualTo("secret");
        assertThat(tls.keyAlias()).isEqualTo("evsidentity");
        assertThat(tls.keyAlgorithm()).isEqualTo("SunX509");
        assertThat(tls.protocols()).containsExactly("TLSv1.3", "TLSv1.2");
        assertThat(tls.cipherSuites()).isEmpty();
        assertThat(tls.needsClientAuth()).isFalse();
        assertThat(tls.toString()).doesNotContain("secret");
        assertThat(configuration.notUsedYet()).isEmpty();
    }

    @Test
    void shouldReadClientCertificatesCiphersAndAddress() throws Exception
    {
        final TlsSettings tls = read(JETTY, NETIO.replace("<port>9003",
            "<listen-address>0.0.0.0</listen-address><port>0"), SSL.replace("false</need-client-auth>", """
            true</need-client-auth><trust-store>/certs/trust.p12</trust-store>
            <trust-store-pass>open</trust-store-pass><trust-manager-algorithm>IbmX509</trust-manager-algorithm>
            <ciphers><cipher>TLS_AES_256_GCM_SHA384</cipher></ciphers>""").replace(">TLS<", ">TLSv1.3<"))
            .secure().tls();

        assertThat(tls.needsClientAuth()).isTrue();
        assertThat(tls.trustStore().file()).isEqualTo(Path.of("/certs/trust.p12"));
        assertThat(tls.trustStore().password()).isEqualTo("open");
        assertThat(tls.trustAlgorithm()).isNull();
        assertThat(tls.protocols()).containsExactly("TLSv1.3");
        assertThat(tls.cipherSuites()).containsExactly("TLS_AES_256_GCM_SHA384");
        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);
        assertThat(configuration.secure().address().host()).isEqualTo("0.0.0.0");
        assertThat(configuration.notUsedYet()).containsExactly("trust-manager-algorithm (line 15)");
    }

    @Test
    void shouldUseCurrentVersionsInsteadOfBrokenOnes() throws Exception
    {
        final ServerConfiguration configuration = read(NETIO, JETTY, SSL.replace(">TLS<", ">SSLv3<"));

        assertThat(configuration.secure().tls().protocols()).containsExactly("TLSv1.3", "TLSv1.2");
        assertThat(configuration.notUsedYet()).containsExactly("ssl-protocol (line 12)");
    }

    @Test
    void shouldListSecurePortThatNothingUses() throws Exception
    {
        final ServerConfiguration configuration = read(NETIO, SSL);

        assertThat(configuration.secure()).isNull();
        assertThat(configuration.management().port()).isEqualTo(9002);
        assertThat(configuration.notUsedYet()).containsExactly("ssl-config-bean-name (line 3)");
    }

    @ParameterizedTest
    @CsvSource({
        "<key-store>./ssl/evsidentity.jks</key-store>, '', 6 SRV-0158 an ssl element has no name or no key store",
        "<name>sslConfig</name>, <name>x</name>, 3 SRV-0103 no element with this name",
        "<password>secret</password>, <password>{Salted-3DES}x</password>, 9 SRV-0115 not a value encrypted by",
        "<ssl-protocol>TLS<, <ssl-protocol>QUIC<, 12 SRV-0105 no such protocol",
        "false</enforce-fips>, true</enforce-fips>, 13 SRV-0163 FIPS mode is not supported",
        "<need-client-auth>false<, <need-client-auth>no<, 14 SRV-0120 not true or false",
        "</ssl>, <ciphers><cipher>SSL_RSA_FAST</cipher></ciphers></ssl>, 15 SRV-0159 this Java has no such cipher",
        "</ssl>, <key-stor/></ssl>, 15 SRV-0109 unknown element"})
    void shouldRefuseSslElementThatCannotBeUsed(final String part, final String replacement, final String expected)
        throws Exception
    {
        assertThat(refused(NETIO, JETTY, SSL.replace(part, replacement))).anySatisfy(
            problem -> assertThat(problem).startsWith(expected));
    }

    @Test
    void shouldRefusePortsThatAreConfusedWithEachOther() throws Exception
    {
        assertThat(refused(NETIO, SSL, JETTY.replace(">NetIO<", ">sslNetIo<"))).singleElement().asString()
            .contains("SRV-0161 the port of network-io-name has no TLS");
        assertThat(refused(NETIO, SSL, JETTY.replace(">sslNetIo<", ">NetIO<"))).singleElement().asString()
            .contains("SRV-0162 the port of secure-network-io-name has no key");
        assertThat(refused(NETIO, SSL, JETTY.replace(">sslNetIo<", ">none<"))).singleElement().asString()
            .contains("SRV-0103 no element with this name, element=netio name=none");
        assertThat(refused(NETIO, SSL, SSL, JETTY)).singleElement().asString()
            .contains("SRV-0104 two ssl elements have the same name");
    }
}
