package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.cluster.partition.link.HandshakeRequest;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.spi.PartitionedChannel;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Behavior of a channel between two tables, at its start and at its end. */
@Tag("slow")
@Timeout(120)
class PartitionRebalanceTest
{
    private static final Owner ONE = new Owner("one", "1");
    private static final Owner TWO = new Owner("two", "2");
    private static final int ROWS = 100;

    @TempDir
    private Path directory;

    private TestPorts ports;
    private PartitionMember member;
    private LinkServer links;
    private PartitionedChannelMember channel;

    @BeforeEach
    void join() throws Exception
    {
        ports = TestPorts.free();
        member = new PartitionMember(ports, directory, "one");
        links = new LinkServer(member.settings);
        channel = new PartitionedChannelMember(member.cluster, terms("own"), new Inside(), links,
            PartitionHandover.EMPTY);
    }

    @AfterEach
    void leave()
    {
        channel.close();
        links.close();
        member.close();
    }

    private static Terms terms(final String name)
    {
        return new Terms("shop", name, new BatchSchema(TestNetwork.TRADE), 1,
            Member.ALL_MEMBERS, false);
    }

    private Registration registration(final Owner owner)
    {
        return new Registration(owner.name(), "m" + owner.stay(), owner.stay(), "127.0.0.1", 1, channel.shape(), true,
            0);
    }

    @Test
    void shouldWaitForAllWhenOwnersOfBeforeAreForgotten()
    {
        AssignmentHistory table = AssignmentHistory.next(null, List.of(TWO));
        for (int i = 0; i < AssignmentHistory.MAX_STEPS; i++)
        {
            table = AssignmentHistory.next(table, List.of(ONE));
        }
        final PartitionRebalance exchange = new PartitionRebalance(channel, links, PartitionHandover.EMPTY);
        final Registration mine = registration(ONE);
        final Registration other = registration(TWO);
        exchange.follow(table, mine, Map.of(mine.stay(), mine, other.stay(), other));
        assertThat(exchange.statistics()).containsEntry("open", false).containsEntry("owned", 0);
        exchange.follow(table, mine,
            Map.of(mine.stay(), mine, other.stay(), other.withReleased(table.now().epoch() - 1)));
        assertThat(exchange.statistics()).containsEntry("open", false);
        exchange.follow(table, mine, Map.of(mine.stay(), mine, other.stay(), other.withReleased(table.now().epoch())));
        assertThat(exchange.statistics()).containsEntry("open", true)
            .containsEntry("owned", PartitionHash.PARTITIONS);
    }

    @Test
    void shouldTakeNoRowsOfEpochsBeforeTheOneItHasReleased()
    {
        final PartitionRebalance exchange = new PartitionRebalance(channel, links, PartitionHandover.EMPTY);
        final Registration mine = registration(ONE);
        final Map<String, Registration> live = Map.of(mine.stay(), mine);
        final AssignmentHistory first = AssignmentHistory.next(null, List.of(ONE));
        exchange.follow(first, mine, live);
        assertThat(exchange.released(live, mine)).isEqualTo(1);
        final AssignmentHistory second = AssignmentHistory.next(first, List.of());
        exchange.follow(second, mine.withReleased(1), live);
        assertThat(channel.floor()).as("until it has released the epoch").isEqualTo(1);
        assertThat(exchange.released(live, mine.withReleased(1))).isEqualTo(2);
        assertThat(channel.floor()).isEqualTo(2);
        assertThat(exchange.released(live, mine.withReleased(2))).isEqualTo(2);
        assertThat(channel.floor()).isEqualTo(2);
    }

    /** Otherwise it would process rows of partitions that another member owns at the same time. */
    @Test
    void shouldTakeNoRowsOfAnEpochThatItHasSkipped() throws Exception
    {
        final PartitionRebalance exchange = new PartitionRebalance(channel, links, PartitionHandover.EMPTY);
        final Registration mine = registration(ONE);
        final Map<String, Registration> live = Map.of(mine.stay(), mine);
        final AssignmentHistory first = AssignmentHistory.next(null, List.of(TWO));
        exchange.follow(first, mine, live);
        assertThat(exchange.statistics()).containsEntry("open", true);
        final AssignmentHistory skipped = AssignmentHistory.next(first, List.of(ONE, TWO));
        exchange.follow(AssignmentHistory.next(skipped, List.of(TWO)), mine, live);
        assertThat(exchange.statistics()).containsEntry("open", true).containsEntry("epoch", 3L);
        assertThatThrownBy(() -> channel.awaitOpen(2, () -> false)).isInstanceOf(IOException.class)
            .hasMessageContaining("epoch=2 floor=3");
        channel.awaitOpen(3, () -> false);
    }

    @Test
    void shouldTakeNoRowsOfEpochsBeforeTheFirstTableThatItSees() throws Exception
    {
        final PartitionRebalance exchange = new PartitionRebalance(channel, links, PartitionHandover.EMPTY);
        final Registration mine = registration(ONE);
        final AssignmentHistory skipped =
            AssignmentHistory.next(AssignmentHistory.next(null, List.of(TWO)), List.of(ONE, TWO));
        exchange.follow(AssignmentHistory.next(skipped, List.of(TWO)), mine, Map.of(mine.stay(), mine));
        assertThatThrownBy(() -> channel.awaitOpen(2, () -> false)).isInstanceOf(IOException.class)
            .hasMessageContaining("epoch=2 floor=3");
    }

    @Test
    void shouldAdmitNobodyWhenThisMemberIsNotThere()
    {
        final InboundLinks in = new InboundLinks(channel);
        assertThat(in.admit(hello(1), () -> false)).isNull();
        in.beginLook();
        in.endAllBut(Set.of());
        assertThat(in.rows()).isZero();
        assertThat(in.admit(hello(1), () -> true)).isNotNull();
    }

    @Test
    void shouldAdmitALinkAsTheSameOnEachConnection()
    {
        final InboundLinks in = new InboundLinks(channel);
        final InboundLink first = in.admit(hello(1), () -> true);
        assertThat(in.admit(hello(1), () -> true)).isSameAs(first);
        assertThat(in.admit(hello(2), () -> true)).isNotSameAs(first);
        assertThat(first.stay()).isEqualTo("their stay");
    }

    @Test
    void shouldKeepALinkThatCameDuringALookThatDidNotSeeItsMember()
    {
        final InboundLinks in = new InboundLinks(channel);
        in.beginLook();
        final InboundLink first = in.admit(hello(1), () -> true);
        in.endAllBut(Set.of());
        assertThat(in.admit(hello(1), () -> true)).as("it arrived during the scan").isSameAs(first);
        in.beginLook();
        in.endAllBut(Set.of("their stay"));
        assertThat(in.admit(hello(1), () -> true)).as("its member was in the view").isSameAs(first);
        in.beginLook();
        in.endAllBut(Set.of());
        assertThat(in.admit(hello(1), () -> true)).as("its member has left").isNotSameAs(first);
    }

    private HandshakeRequest hello(final long link)
    {
        return new HandshakeRequest("shop", "own", channel.shape(), "their stay", "1", link);
    }

    /** The thread and the listeners can run before the channel is complete. */
    @Test
    void shouldListenToNobodyBeforeItIsStarted()
    {
        final Queue<String> calls = new ConcurrentLinkedQueue<>();
        final Cluster watched = watched(member.cluster, calls, () ->
        {
            // No member leaves.
        });
        final RebalanceLoop membership = new RebalanceLoop(channel, watched, links, PartitionHandover.EMPTY);
        assertThat(calls).doesNotContain("addListener", "view");
        membership.start();
        PartitionMember.await("a scan", () -> calls.contains("view"));
        assertThat(calls).contains("addListener");
        membership.close();
        assertThat(calls).contains("removeListener");
    }

    @Test
    void shouldEndItsLinksBeforeItSaysThatItIsGone() throws Exception
    {
        final Inside here = new Inside();
        final Inside there = new Inside();
        final Queue<Boolean> ended = new ConcurrentLinkedQueue<>();
        try (PartitionMember two = new PartitionMember(ports, directory, "two");
            ClusterPartitionedChannels ofTwo =
                new ClusterPartitionedChannels(watched(two.cluster, new ConcurrentLinkedQueue<>(), () ->
                ended.add(hasEnded(there))), two.settings))
        {
            final Terms terms = terms("trades");
            try (PartitionedChannel one = member.partitions.open(terms, here);
                PartitionedChannel other = ofTwo.open(terms("trades"), there))
            {
                one.join();
                other.join();
                awaitOwners(one);
                awaitOwners(other);
                one.openWay(rows ->
                {
                    // Rows of this member are ignored.
                }).accept(rows(terms.schema()));
                PartitionMember.await("rows", () -> there.rows.get() > 0);
                assertThat(there.open.get()).isEqualTo(1);
            }
        }
        assertThat(ended).isNotEmpty().containsOnly(true);
    }

    private static EventBatch rows(final BatchSchema schema)
    {
        final EventBatch batch = new EventBatch(schema);
        for (int i = 0; i < ROWS; i++)
        {
            batch.texts(1).set(i, "S" + i);
        }
        batch.size(ROWS);
        return batch;
    }

    private static void awaitOwners(final PartitionedChannel channel)
    {
        PartitionMember.await("two owners", () ->
            channel.statistics().get("members") instanceof List<?> owners && owners.size() == 2 &&
                Boolean.TRUE.equals(channel.statistics().get("open")));
    }

    /** Whether no row can arrive anymore, now or later: threads of links end asynchronously. */
    private static boolean hasEnded(final Inside inside)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (inside.open.get() > 0 && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(1_000_000);
        }
        return inside.open.get() == 0;
    }

    /** A cluster that records calls, and notifies when a member of a channel unregisters. */
    private static Cluster watched(final Cluster real, final Queue<String> calls, final Runnable onGone)
    {
        return proxy(Cluster.class, real, calls, Map.of("map", result ->
            proxy(ReplicatedMap.class, (ReplicatedMap)result, calls, Map.of(), onGone)), () ->
            {
                // Only maps notify.
            });
    }

    /** Replaces a result. */
    @FunctionalInterface
    private interface Change
    {
        Object of(Object result);
    }

    private static <T> T proxy(final Class<T> type, final T real, final Queue<String> calls,
        final Map<String, Change> changes, final Runnable onRemove)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (made, method, given) ->
        {
            if (method.getName().equals("put") && given[0].toString().contains("/member/") && given[1] == null)
            {
                onRemove.run();
            }
            try
            {
                calls.add(method.getName());
                final Object result = method.invoke(real, given);
                return changes.getOrDefault(method.getName(), same -> same).of(result);
            }
            catch (final InvocationTargetException e)
            {
                throw e.getCause();
            }
        }));
    }
}
