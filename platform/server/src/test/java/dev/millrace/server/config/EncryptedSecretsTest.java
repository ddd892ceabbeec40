package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.secret.SecretKeys;
import dev.millrace.network.definition.DeploymentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EncryptedSecretsTest
{
    private static final String PASSWORD = "correct-horse-42";

    @TempDir
    private Path domain;

    private SecretKeys keys;

    @BeforeEach
    void makeKey() throws Exception
    {
        Files.createDirectories(domain.resolve("config"));
        keys = SecretKeys.random();
        keys.write(domain.resolve("config/secret.key"));
    }

    private ServerConfiguration read(final String driverParameters) throws Exception
    {
        Files.writeString(domain.resolve("config/config.xml"), """
            <config xmlns="http://www.bea.com/ns/wlevs/config/server">
              <data-source>
                <name>store</name>
                <driver-params>
                  <url>jdbc:h2:mem:x</url><driver-name>org.h2.Driver</driver-name>
                  %s
                </driver-params>
              </data-source>
            </config>
            """.formatted(driverParameters));
        return ServerConfigurationReader.read(domain);
    }

    private static String property(final String text)
    {
        return "<properties><element><name>password</name><value>" + text + "</value></element></properties>";
    }

    private void refused(final String text, final String code)
    {
        final DeploymentException e =
            catchThrowableOfType(DeploymentException.class, () -> read(property(text)));
        assertThat(e).hasMessageContaining(code).hasMessageContaining("config.xml:6:");
        assertThat(e.getMessage()).doesNotContain(PASSWORD, text);
    }

    @Test
    void shouldDecryptAPasswordWhereverItStands() throws Exception
    {
        final String text = keys.encrypt(PASSWORD);

        for (final String form : new String[] {property(text), "<password-encrypted>" + text + "</password-encrypted>"})
        {
            final ServerConfiguration configuration = read(form);
            assertThat(configuration.dataSources().get(0).properties()).containsEntry("password", PASSWORD);
            assertThat(configuration.toString()).doesNotContain(PASSWORD);
        }
    }

    @Test
    void shouldLeaveATextThatOnlyBeginsWithABraceAsItIs() throws Exception
    {
        assertThat(read(property("{x}y")).dataSources().get(0).properties()).containsEntry("password", "{x}y");
    }

    @Test
    void shouldRefuseWithThePlaceWhatItCannotDecrypt() throws Exception
    {
        refused(SecretKeys.random().encrypt(PASSWORD), "SRV-0128");
        refused("{AES}AAAA", "SRV-0134");
        final String text = keys.encrypt(PASSWORD);
        refused(text.substring(0, text.length() - 4), "SRV-0134");
        refused("{Salted-3DES}hjXnSSNvBLlhE0PIvIqLNA==", "SRV-0115");

        Files.setPosixFilePermissions(domain.resolve("config/secret.key"),
            PosixFilePermissions.fromString("rw-r--r--"));
        refused(text, "SRV-0130");
        Files.delete(domain.resolve("config/secret.key"));
        refused(text, "SRV-0131");
    }

    @Test
    void shouldNotNeedAKeyWhenNothingIsEncrypted() throws Exception
    {
        Files.delete(domain.resolve("config/secret.key"));
        assertThat(read(property("plain")).dataSources().get(0).properties()).containsEntry("password", "plain");
    }

    @Test
    void shouldDecryptTheKeyStoresPassword() throws Exception
    {
        Files.writeString(domain.resolve("config/stores.p12"), "x");
        Files.writeString(domain.resolve("config/config.xml"), """
            <config xmlns="http://www.bea.com/ns/wlevs/config/server">
              <cluster><server-name>a</server-name><enabled>true</enabled><security>encrypt</security>
                <key-store>stores.p12</key-store><trust-store>stores.p12</trust-store>
                <store-password>%s</store-password></cluster>
            </config>
            """.formatted(keys.encrypt(PASSWORD)));
        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);

        assertThat(configuration.cluster().encryption().password()).isEqualTo(PASSWORD);
        assertThat(configuration.toString()).doesNotContain(PASSWORD);
    }

    private ConfiguredSecrets secrets(final String elements) throws Exception
    {
        Files.writeString(domain.resolve("config/config.xml"), """
            <config xmlns="http://www.bea.com/ns/wlevs/config/server">
              %s
            </config>
            """.formatted(elements));
        final ServerConfiguration configuration = ServerConfigurationReader.read(domain);
        assertThat(configuration.toString()).doesNotContain(PASSWORD);
        return configuration.secrets();
    }

    @Test
    void shouldGiveAdaptersTheSecretThatTheyName() throws Exception
    {
        final ConfiguredSecrets found = secrets("<secret><name>ticks</name><value>" + keys.encrypt(PASSWORD)
            + "</value></secret><secret><name>plain</name><value>text</value></secret>");

        assertThat(found.secret("ticks")).isEqualTo(PASSWORD);
        assertThat(found.secret("plain")).isEqualTo("text");
        assertThat(found.secret("other")).isNull();
        assertThat(found).hasToString("[ticks, plain]");
    }

    @Test
    void shouldRefuseSecretsWithoutNameOrValueOrOfOneName()
    {
        for (final String wrong : new String[] {"<name>a</name>", "<value>x</value>", "<name>a</name><value/>"})
        {
            assertThat(catchThrowableOfType(DeploymentException.class, () -> secrets("<secret>" + wrong + "</secret>")))
                .hasMessageContaining("SRV-0135").hasMessageContaining("config.xml:2:");
        }
        assertThat(catchThrowableOfType(DeploymentException.class, () -> secrets(
            "<secret><name>a</name><value>x</value></secret><secret><name>a</name><value>y</value></secret>")))
            .hasMessageContaining("SRV-0104");
        assertThat(catchThrowableOfType(DeploymentException.class, () -> secrets(
            "<secret><name>a</name><value>" + SecretKeys.random().encrypt(PASSWORD) + "</value></secret>")))
            .hasMessageContaining("SRV-0128");
    }
}
