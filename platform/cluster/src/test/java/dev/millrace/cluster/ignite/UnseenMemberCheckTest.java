package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterSettings.Ports;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.trust.ClusterTls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two members of one domain that are not in each other's view, as after a network partition. */
@Tag("slow")
@Timeout(120)
class UnseenMemberCheckTest
{
    private static final long EVERY_MS = 50;

    @TempDir
    private Path directory;

    private static ClusterSettings settings(final Path directory, final String name, final Ports ports)
    {
        return new ClusterSettings("shop", name, Member.NO_IDENTITY, Set.of(), "127.0.0.1",
            List.of("127.0.0.1:" + ports.discovery()), ports, TestPorts.FAILURE_DETECTION_MS, null,
            directory.resolve(name), TestPorts.SECRET);
    }

    @Test
    void shouldSayThatAMemberOfTheDomainIsOutsideUntilItIsInTheView() throws Exception
    {
        final TestPorts both = TestPorts.free();
        final Ports first = new Ports(both.ports().discovery(), both.ports().communication(), 1);
        final Ports second = new Ports(first.discovery() + 1, first.communication() + 1, 1);
        final BlockingQueue<String> said = new LinkedBlockingQueue<>();
        final Set<InetSocketAddress> view = Set.of(new InetSocketAddress("127.0.0.1", first.discovery()));
        try (Cluster one = IgniteCluster.join(settings(directory, "one", first));
            Cluster two = IgniteCluster.join(settings(directory, "two", second)))
        {
            assertThat(one.view().members()).hasSize(1);
            assertThat(two.view().members()).hasSize(1);
            final ClusterSettings ofOne = both.member(directory, "one");
            try (UnseenMemberCheck outsiders = UnseenMemberCheck.begin(ofOne, ClusterTls.context(ofOne), () -> view,
                EVERY_MS, said::add))
            {
                assertThat(outsiders).isNotNull();
                assertThat(said.poll(60, TimeUnit.SECONDS)).contains("CLU-0012", "member=one",
                    "outside=[127.0.0.1:" + second.discovery() + "]", "restart");
            }
        }
    }

    @Test
    void shouldSayNothingOfMembersInTheViewAndOfOtherServers() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        final BlockingQueue<String> said = new LinkedBlockingQueue<>();
        final ClusterSettings settings = ports.member(directory, "one");
        final Node one = Node.start(settings, event -> { }, () -> { });
        try (Cluster two = IgniteCluster.join(ports.member(directory, "two"));
            ServerSocket other = new ServerSocket(ports.ports().discovery() + 2, 8,
                InetAddress.getByName("127.0.0.1")))
        {
            assertThat(one.discoveryAddresses()).contains(
                new InetSocketAddress("127.0.0.1", ports.ports().discovery()),
                new InetSocketAddress("127.0.0.1", ports.ports().discovery() + 1));
            final BlockingQueue<Integer> looks = new LinkedBlockingQueue<>();
            try (UnseenMemberCheck outsiders = UnseenMemberCheck.begin(settings, ClusterTls.context(settings), () ->
            {
                looks.add(1);
                return one.discoveryAddresses();
            }, EVERY_MS, said::add))
            {
                assertThat(outsiders).isNotNull();
                // Each check asks once for each of four addresses and once at its end.
                for (int i = 0; i < 3 * 5; i++)
                {
                    assertThat(looks.poll(60, TimeUnit.SECONDS)).isNotNull();
                }
            }
            assertThat(said).isEmpty();
            assertThat(two.view().members()).hasSize(2);
            assertThat(other.isBound()).isTrue();
        }
        finally
        {
            one.stop();
        }
    }
}
