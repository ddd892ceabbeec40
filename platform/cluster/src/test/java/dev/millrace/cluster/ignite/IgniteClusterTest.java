package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Member;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several members in one process; each test uses new free ports. */
@Tag("slow")
@Timeout(120)
class IgniteClusterTest
{
    @TempDir
    private Path directory;

    private final List<Cluster> members = new ArrayList<>();
    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave()
    {
        members.forEach(Cluster::close);
    }

    private ClusterSettings settings(final String domain, final String name, final int identity, final String... groups)
    {
        return new ClusterSettings(domain, name, identity, Set.of(groups), "127.0.0.1", ports.addresses(),
            ports.ports(), TestPorts.FAILURE_DETECTION_MS, null, directory.resolve(name),
            TestPorts.SECRET);
    }

    private Cluster join(final String name, final int identity, final String... groups) throws ClusterException
    {
        final Cluster joined = IgniteCluster.join(settings("shop", name, identity, groups));
        members.add(joined);
        return joined;
    }

    private static ClusterView await(final Cluster cluster, final Predicate<ClusterView> condition) throws Exception
    {
        final BlockingQueue<ClusterView> views = new LinkedBlockingQueue<>();
        final ClusterListener listener = views::add;
        cluster.addListener(listener);
        try
        {
            ClusterView view = views.poll(60, TimeUnit.SECONDS);
            while (view != null && !condition.test(view))
            {
                view = views.poll(60, TimeUnit.SECONDS);
            }
            assertThat(view).as("the expected view").isNotNull();
            return view;
        }
        finally
        {
            cluster.removeListener(listener);
        }
    }

    @Test
    void shouldBeginAClusterAlone() throws Exception
    {
        final ClusterView view = join("one", 1).view();
        assertThat(view.state()).isEqualTo(State.MEMBER);
        assertThat(view.members()).extracting(Member::name).containsExactly("one");
        assertThat(view.coordinator()).isEqualTo(view.self());
    }

    @Test
    void shouldSeeEachOtherWithTheLowestIdentityAsCoordinator() throws Exception
    {
        final Cluster second = join("second", 2, "risk");
        final Cluster first = join("first", 1);
        final Cluster none = join("none", Member.NO_IDENTITY, "risk", "audit");
        for (final Cluster each : List.of(first, second, none))
        {
            final ClusterView view = await(each, all -> all.members().size() == 3);
            assertThat(view.members()).extracting(Member::name).containsExactly("first", "second", "none");
            assertThat(view.coordinator().name()).isEqualTo("first");
            assertThat(view.group("risk")).extracting(Member::name).containsExactly("second", "none");
            assertThat(view.group("none")).extracting(Member::name).containsExactly("none");
            assertThat(view.group(Member.ALL_MEMBERS)).hasSize(3);
            assertThat(view.group("nobody")).isEmpty();
        }
    }

    @Test
    void shouldPassTheCoordinationOnWhenTheCoordinatorLeaves() throws Exception
    {
        final Cluster first = join("first", 1);
        final Cluster second = join("second", 2);
        await(second, all -> all.members().size() == 2);
        first.close();
        assertThat(first.view().state()).isEqualTo(State.LEFT);
        final ClusterView view = await(second, all -> all.members().size() == 1);
        assertThat(view.coordinator().name()).isEqualTo("second");
    }

    @Test
    void shouldRefuseASecondMemberOfOneName() throws Exception
    {
        final Cluster one = join("one", 1);
        assertThatThrownBy(() -> join("one", 2)).isInstanceOf(ClusterException.class)
            .hasMessageContaining("a member with this name already exists").hasMessageContaining("server-name=one")
            .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0102");
        assertThat(one.view().members()).hasSize(1);
    }

    @Test
    void shouldRefuseAMemberOfAnotherDomain() throws Exception
    {
        join("one", 1);
        assertThatThrownBy(() -> IgniteCluster.join(settings("bank", "two", 2)))
            .isInstanceOf(ClusterException.class)
            .hasMessageContaining("domain=shop").hasMessageContaining("bank")
            .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0101");
    }

    @Test
    void shouldJoinAlthoughAnAddressIsDead() throws Exception
    {
        join("one", 1);
        final List<String> withDead = new ArrayList<>(List.of("127.0.0.1:1", "127.1.2.3:9"));
        withDead.addAll(ports.addresses());
        final ClusterSettings normal = settings("shop", "two", 2);
        final Cluster two = IgniteCluster.join(new ClusterSettings("shop", "two", 2, Set.of(), normal.host(), withDead,
            normal.ports(), normal.failureDetectionMs(), null, normal.directory(), TestPorts.SECRET));
        members.add(two);
        assertThat(await(two, all -> all.members().size() == 2).coordinator().name()).isEqualTo("one");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldListenOnLoopbackAloneAndTalkToNobodyElse() throws Exception
    {
        final Set<OwnSockets.Socket> before = new HashSet<>(OwnSockets.all());
        join("one", 1).map("rules").put("a", new byte[] {1});
        await(join("two", 2), all -> all.members().size() == 2);
        final List<OwnSockets.Socket> opened =
            OwnSockets.all().stream().filter(socket -> !before.contains(socket)).toList();
        assertThat(opened.stream().filter(OwnSockets.Socket::isListening)).as("two ports per member").hasSize(4);
        assertThat(opened).allMatch(OwnSockets.Socket::isLocalLoopback).allMatch(OwnSockets.Socket::isRemoteLoopback);
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
            .as("Ignite's update check").noneMatch(name -> name.contains("update-notifier"));
    }

    @Test
    void shouldUseEveryPortOfItsRangesAndNoOther() throws Exception
    {
        final ClusterSettings.Ports two = new ClusterSettings.Ports(
            ports.ports().discovery(), ports.ports().communication(), 2);
        for (final String name : List.of("one", "two"))
        {
            members.add(IgniteCluster.join(withPorts(name, two)));
        }
        assertThat(members.get(1).view().members()).hasSize(2);
        assertThatThrownBy(() -> IgniteCluster.join(withPorts("three", two))).isInstanceOf(ClusterException.class)
            .extracting(e -> ((ClusterException)e).code()).isEqualTo("CLU-0103");
        assertThat(members.get(0).view().members()).hasSize(2);
    }

    private ClusterSettings withPorts(final String name, final ClusterSettings.Ports some)
    {
        final ClusterSettings settings = settings("shop", name, 1);
        return new ClusterSettings(settings.domainName(), name, 1, Set.of(), settings.host(), settings.addresses(),
            some, settings.failureDetectionMs(), null, settings.directory(), TestPorts.SECRET);
    }
}
