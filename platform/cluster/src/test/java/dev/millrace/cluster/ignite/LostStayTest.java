package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Member;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that fail at the moment when a member rejoins. */
@Tag("slow")
@Timeout(180)
class LostStayTest
{
    @TempDir
    private Path directory;

    /** Failure handlers of the started nodes. */
    private final List<Runnable> failures = new CopyOnWriteArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final BlockingQueue<ClusterView> views = new LinkedBlockingQueue<>();
    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    /** A member whose nodes with the given numbers fail as soon as they have joined. */
    private Cluster join(final Integer... lost) throws Exception
    {
        final ClusterSettings settings = new ClusterSettings("shop", "one", 1, Set.of(), "127.0.0.1",
            ports.addresses(), ports.ports(), 10_000, null, directory, TestPorts.SECRET);
        final Set<Integer> failing = Set.of(lost);
        return IgniteCluster.join(settings, (given, changes, failed) ->
        {
            final Node node = Node.start(given, changes, failed);
            nodes.add(node);
            failures.add(failed);
            if (failing.contains(nodes.size()))
            {
                failed.run();
            }
            return node;
        });
    }

    private ClusterView awaitMember(final ClusterView before) throws InterruptedException
    {
        ClusterView view = before;
        while (view.state() != State.MEMBER || view.self().id().equals(before.self().id()))
        {
            view = views.poll(60, TimeUnit.SECONDS);
            assertThat(view).as("a view in time").isNotNull();
        }
        return view;
    }

    @Test
    void shouldComeBackOnceMoreWhenTheNodeIsLostBeforeItIsSeen() throws Exception
    {
        try (Cluster cluster = join(2))
        {
            final ClusterView before = cluster.view();
            cluster.map("a").put("name", new byte[] {1});
            cluster.addListener(views::add);
            failures.get(0).run();
            final ClusterView back = awaitMember(before);
            assertThat(nodes).as("the second node was lost").hasSize(3);
            assertThat(back.self()).isEqualTo(nodes.get(2).self());
            assertThat(cluster.holdsLease()).isTrue();
            cluster.map("a").put("name", new byte[] {2});
            assertThat(cluster.map("a").get("name")).containsExactly(2);
        }
    }

    @Test
    void shouldNotCareForWhatIsSaidOfANodeOfBefore() throws Exception
    {
        try (Cluster cluster = join())
        {
            final ClusterView before = cluster.view();
            cluster.addListener(views::add);
            failures.get(0).run();
            final ClusterView back = awaitMember(before);
            failures.get(0).run();
            assertThat(cluster.view()).isEqualTo(back);
            assertThat(nodes).hasSize(2);
            assertThat(back.members()).extracting(Member::name).containsExactly("one");
        }
    }

    @Test
    void shouldNotBeginWithANodeThatIsLost()
    {
        assertThatThrownBy(() -> join(1)).isInstanceOf(ClusterException.class)
            .hasMessageContaining("the member was lost while it joined, server-name=one")
            .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0106");
    }
}
