package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.Member;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members with certificates, and members with other certificates or none. */
@Tag("slow")
@Timeout(180)
class TlsTest
{
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
        final Tls own = TestKeys.make(directory.resolve("cluster.p12"));
        final Tls foreign = TestKeys.make(directory.resolve("foreign.p12"));
        try (Cluster one = IgniteCluster.join(ports.member(directory, "one", Member.NO_IDENTITY, own));
            Cluster two = IgniteCluster.join(ports.member(directory, "two", Member.NO_IDENTITY, own)))
        {
            assertThat(two.view().members()).extracting(Member::name).containsExactly("one", "two");
            two.map("rules").put("a", new byte[] {1});
            assertThat(one.map("rules").get("a")).containsExactly(1);

            assertThatThrownBy(() -> IgniteCluster.join(ports.member(directory, "plain")))
                .isInstanceOf(ClusterException.class)
                .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0104");
            final ClusterSettings stranger = ports.member(directory, "foreign", Member.NO_IDENTITY, foreign);
            assertThatThrownBy(() -> IgniteCluster.join(stranger)).isInstanceOf(ClusterException.class)
                .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0104");
            assertThat(one.view().members()).hasSize(2);
        }
    }
}
