package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.Member;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members with certificates, and those who come without or with others. */
@Timeout(180)
class TlsTest
{
    private static final String PASSWORD = "not-secret";

    @TempDir
    private Path directory;

    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @Test
    void shouldLetMembersInByTheirCertificateAlone() throws Exception
    {
        final Path store = keyStore("cluster.p12");
        final Path foreign = keyStore("foreign.p12");
        try (Cluster one = IgniteCluster.join(settings("one", tls(store, store)));
            Cluster two = IgniteCluster.join(settings("two", tls(store, store))))
        {
            assertThat(two.view().members()).extracting(Member::name).containsExactly("one", "two");
            two.map("rules").put("a", new byte[] {1});
            assertThat(one.map("rules").get("a")).containsExactly(1);

            assertThatThrownBy(() -> IgniteCluster.join(settings("plain", null))).isInstanceOf(ClusterException.class)
                .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0104");
            assertThatThrownBy(() -> IgniteCluster.join(settings("foreign", tls(foreign, foreign))))
                .isInstanceOf(ClusterException.class)
                .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0104");
            assertThat(one.view().members()).hasSize(2);
        }
    }

    private ClusterSettings settings(final String name, final Tls tls)
    {
        return new ClusterSettings("shop", name, Member.NO_IDENTITY, Set.of(), "127.0.0.1", ports.addresses(),
            ports.ports(), ClusterSettings.DEFAULT_FAILURE_DETECTION_MS, tls, directory.resolve(name));
    }

    private static Tls tls(final Path keys, final Path trusted)
    {
        return new Tls(keys, trusted, PASSWORD.toCharArray());
    }

    /** Key and certificate in one store, which so serves for both. */
    private Path keyStore(final String name) throws Exception
    {
        final Path store = directory.resolve(name);
        final Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "member",
            "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name, "-validity", "2", "-storetype",
            "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD).redirectErrorStream(true).start();
        final String output = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(output).isZero();
        return store;
    }
}
