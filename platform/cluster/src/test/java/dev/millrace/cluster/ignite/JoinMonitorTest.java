package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member that is not in its own list of addresses. */
@Tag("slow")
@Timeout(120)
class JoinMonitorTest
{
    @TempDir
    private Path directory;

    private ClusterSettings settings(final String name, final TestPorts ports, final List<String> addresses)
    {
        return new ClusterSettings("shop", name, 1, Set.of(), "127.0.0.1", addresses, ports.ports(),
            TestPorts.FAILURE_DETECTION_MS, null, directory.resolve(name), TestPorts.SECRET);
    }

    @Test
    void shouldSayThatItsOwnAddressIsMissingAndJoinWhenOneOfTheOthersComes() throws Exception
    {
        final TestPorts there = TestPorts.free();
        final TestPorts here = TestPorts.free();
        final ClusterSettings waiting = settings("waiting", here, there.addresses());
        final BlockingQueue<String> words = new LinkedBlockingQueue<>();
        final ExecutorService other = Executors.newSingleThreadExecutor();
        try (JoinMonitor watch = JoinMonitor.begin(waiting, 100, words::add))
        {
            assertThat(watch).isNotNull();
            final Future<Cluster> joining = other.submit(() -> (Cluster)IgniteCluster.join(waiting));
            assertThat(words.poll(60, TimeUnit.SECONDS)).contains("CLU-0107", "<address-list>",
                "addresses=" + there.addresses(), "own=127.0.0.1:" + here.ports().discovery(), "continues to retry");
            assertThat(joining.isDone()).isFalse();
            try (Cluster first = IgniteCluster.join(settings("first", there, there.addresses()));
                Cluster second = joining.get(60, TimeUnit.SECONDS))
            {
                assertThat(second.view().members()).hasSize(2);
                assertThat(first.view().self().name()).isEqualTo("first");
            }
        }
        finally
        {
            other.shutdownNow();
        }
    }

    @Test
    void shouldKnowItsOwnAddressHoweverItIsWritten() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        final int port = ports.ports().discovery();
        assertThat(JoinMonitor.listsItself(settings("a", ports, List.of("127.0.0.1:" + port)))).isTrue();
        assertThat(JoinMonitor.listsItself(settings("a", ports, List.of("localhost:1..65535")))).isTrue();
        assertThat(JoinMonitor.listsItself(settings("a", ports, List.of("127.0.0.1:1", "127.0.0.1:" + port + ".." +
            (port + 1))))).isTrue();
        assertThat(JoinMonitor.listsItself(settings("a", ports, List.of("127.0.0.2:" + port)))).isFalse();
        assertThat(JoinMonitor.listsItself(settings("a", ports, List.of("127.0.0.1:" + (port - 1))))).isFalse();
        assertThat(JoinMonitor.listsItself(settings("a", ports, List.of("127.0.0.1:" + (port - 9) + ".." +
            (port - 1))))).isFalse();
    }
}
