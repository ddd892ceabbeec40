package dev.millrace.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.BundleTrust;
import dev.millrace.server.fixture.BundleJar;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signatures created by the JDK's tools. */
@Tag("slow")
@Timeout(120)
class BundleSignatureTest
{
    @TempDir
    private Path directory;

    private Path bundle;

    private static void run(final String tool, final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", tool).toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    @BeforeEach
    void sign() throws Exception
    {
        bundle = directory.resolve("signed.jar");
        Files.write(bundle, BundleJar.named("signed.app").file("data.txt", "text").bytes());
        final String keys = directory.resolve("keys.p12").toString();
        run("keytool", "-genkeypair", "-keystore", keys, "-storepass", "changeit", "-alias", "signer", "-keyalg", "EC",
            "-dname", "CN=signer", "-validity", "2");
        run("jarsigner", "-keystore", keys, "-storepass", "changeit", bundle.toString(), "signer");
    }

    private void change(final String entry, final String text) throws Exception
    {
        try (FileSystem jar = FileSystems.newFileSystem(bundle))
        {
            Files.writeString(jar.getPath(entry), text);
        }
    }

    @Test
    void shouldTakeABundleWhoseSignatureHolds() throws Exception
    {
        assertThat(BundleCheck.check(bundle, "signed.jar", BundleTrust.OPTIONAL).symbolicName())
            .isEqualTo("signed.app");
    }

    @Test
    void shouldRefuseWhenAnEntryWasChangedAfterwards() throws Exception
    {
        change("data.txt", "another text");

        refused("data.txt");
    }

    @Test
    void shouldRefuseWhenAnEntryWasAddedAfterwards() throws Exception
    {
        change("more.txt", "text");

        refused("unsigned=more.txt");
    }

    @Test
    void shouldRefuseWhenASignatureIsGarbage() throws Exception
    {
        Files.write(bundle, BundleJar.named("garbage.app").file("META-INF/X.RSA", "garbage").file("data.txt", "text")
            .bytes());

        refused("SRV-0244");
    }

    private BundleTrust trust(final String keys, final String alias) throws Exception
    {
        final Path file = directory.resolve(alias + ".pem");
        run("keytool", "-exportcert", "-rfc", "-keystore", keys, "-storepass", "changeit", "-alias", alias, "-file",
            file.toString());
        try (InputStream in = Files.newInputStream(file))
        {
            return new BundleTrust(true,
                Set.of((X509Certificate)CertificateFactory.getInstance("X.509").generateCertificate(in)));
        }
    }

    @Test
    void shouldTakeOnlyBundlesOfTrustedSignersWhenSignaturesAreRequired() throws Exception
    {
        final String keys = directory.resolve("keys.p12").toString();
        final BundleTrust signer = trust(keys, "signer");
        assertThat(BundleCheck.check(bundle, "signed.jar", signer).symbolicName()).isEqualTo("signed.app");

        run("keytool", "-genkeypair", "-keystore", keys, "-storepass", "changeit", "-alias", "other", "-keyalg", "EC",
            "-dname", "CN=signer", "-validity", "2");
        assertThatThrownBy(() -> BundleCheck.check(bundle, "signed.jar", trust(keys, "other")))
            .hasMessageContaining("SRV-0246").hasMessageContaining("CN=signer");

        final Path unsigned = directory.resolve("unsigned.jar");
        Files.write(unsigned, BundleJar.named("unsigned.app").bytes());
        assertThatThrownBy(() -> BundleCheck.check(unsigned, "unsigned.jar", signer)).hasMessageContaining("SRV-0245");
    }

    @Test
    void shouldTakeABundleWhoseSignerHasACertificateOfATrustedAuthority() throws Exception
    {
        final String keys = directory.resolve("chain.p12").toString();
        run("keytool", "-genkeypair", "-keystore", keys, "-storepass", "changeit", "-alias", "authority", "-keyalg",
            "EC", "-dname", "CN=authority", "-ext", "bc:c", "-validity", "2");
        run("keytool", "-genkeypair", "-keystore", keys, "-storepass", "changeit", "-alias", "issued", "-keyalg", "EC",
            "-dname", "CN=issued", "-validity", "2", "-signer", "authority");
        final Path issued = directory.resolve("issued.jar");
        Files.write(issued, BundleJar.named("issued.app").file("data.txt", "text").bytes());
        run("jarsigner", "-keystore", keys, "-storepass", "changeit", issued.toString(), "issued");

        assertThat(BundleCheck.check(issued, "issued.jar", trust(keys, "authority")).symbolicName())
            .isEqualTo("issued.app");
        assertThatThrownBy(() -> BundleCheck.check(bundle, "signed.jar", trust(keys, "authority")))
            .hasMessageContaining("SRV-0246");
    }

    private void refused(final String text)
    {
        assertThatThrownBy(() -> BundleCheck.check(bundle, "signed.jar", BundleTrust.OPTIONAL))
            .isInstanceOf(DeploymentException.class)
            .hasMessageContaining("SRV-0244")
            .hasMessageContaining(text);
    }
}
