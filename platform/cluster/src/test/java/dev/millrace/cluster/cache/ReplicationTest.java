package dev.millrace.cluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.CacheSettings.Limits;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.ChangeKind;
import dev.millrace.cluster.cache.CacheCommand.Kind;
import dev.millrace.cluster.cache.SimulatedCluster.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All members apply the same changes in the same order, regardless of message loss and failures. Single-threaded and
 * random, reproducible by a seed.
 */
@Tag("slow")
@Timeout(120)
class ReplicationTest
{
    private static final Limits LARGE = new Limits(1000, EvictionPolicy.LRU, 0);
    private static final long SEEDS = Long.getLong("millrace.seeds", 60);
    private static final String SHAPE = "(symbol char, price double)";

    private static SimulatedCluster cluster(final long seed, final int members, final Limits limits)
    {
        final SimulatedCluster cluster = new SimulatedCluster(seed);
        for (int i = 0; i < members; i++)
        {
            cluster.join(SHAPE, limits);
        }
        cluster.settle();
        cluster.alive().forEach(Node::attach);
        cluster.settle();
        return cluster;
    }

    @Test
    void shouldTellAllMembersOfAllChangesInOneOrder()
    {
        final SimulatedCluster cluster = cluster(1, 3, LARGE);
        for (int i = 0; i < 300; i++)
        {
            cluster.alive().get(i % 3).put("k" + i % 7, "v" + i);
            cluster.step();
        }
        cluster.settle();
        final List<Node> nodes = cluster.alive();
        assertThat(nodes.get(0).heard).hasSize(300);
        assertThat(nodes.get(1).heard).isEqualTo(nodes.get(0).heard);
        assertThat(nodes.get(2).heard).isEqualTo(nodes.get(0).heard);
    }

    @Test
    void shouldGiveTheValueBeforeAndKeepWhatIsLoadedLater()
    {
        final SimulatedCluster cluster = cluster(2, 2, LARGE);
        final Node two = cluster.alive().get(1);
        final CompletableFuture<CommandResult> first = two.put("a", "1");
        final CompletableFuture<CommandResult> second = two.put("a", "2");
        final CompletableFuture<CommandResult> load = two.change(
            new Change(ChangeKind.LOAD, new Key(SimulatedCluster.bytes("a")), SimulatedCluster.bytes("9")));
        cluster.settle();
        assertThat(first.join().before()).isNull();
        assertThat(SimulatedCluster.text(second.join().before())).isEqualTo("1");
        assertThat(load.join().isDone()).isTrue();
        assertThat(cluster.copies().values()).allSatisfy(copy -> assertThat(copy).isEqualTo(Map.of("a", "2")));
    }

    @Test
    void shouldEndAlikeAndLoseNothingOfTheLivingWhateverHappens()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final SimulatedCluster cluster = cluster(seed, 3, LARGE);
            final Random random = cluster.random();
            final Map<Node, Map<String, Integer>> sent = new HashMap<>();
            int value = 0;
            for (int i = 0; i < 600; i++)
            {
                final List<Node> alive = cluster.alive();
                final Node writer = alive.get(random.nextInt(alive.size()));
                if (writer.isAttached)
                {
                    // Each member writes its own names, so the last accepted value must exist.
                    final String key = writer.self.name() + '-' + random.nextInt(5);
                    final int number = ++value;
                    writer.put(key, Integer.toString(number)).thenAccept(done -> sent.computeIfAbsent(
                        writer, node -> new TreeMap<>()).merge(key, number, Math::max));
                }
                for (int j = random.nextInt(4); j > 0; j--)
                {
                    cluster.step();
                }
                if (random.nextInt(120) == 0)
                {
                    fault(cluster, random);
                }
            }
            cluster.settle();
            check(cluster, seed, sent);
        }
    }

    private static void fault(final SimulatedCluster cluster, final Random random)
    {
        final List<Node> alive = cluster.alive();
        final Node victim = alive.get(random.nextInt(alive.size()));
        switch (random.nextInt(3))
        {
            case 0 -> cluster.join(SHAPE, LARGE).attachSoon();
            case 1 ->
            {
                if (alive.size() > 1)
                {
                    cluster.crash(victim);
                }
            }
            default ->
            {
                if (alive.size() > 1)
                {
                    cluster.fence(victim);
                }
            }
        }
    }

    private static void check(
        final SimulatedCluster cluster, final long seed, final Map<Node, Map<String, Integer>> sent)
    {
        final List<Map<String, String>> copies = new ArrayList<>(cluster.copies().values());
        assertThat(copies).as("seed " + seed).isNotEmpty()
            .allSatisfy(copy -> assertThat(copy).isEqualTo(copies.get(0)));
        for (final Node node : cluster.alive())
        {
            if (node.isAttached)
            {
                sent.getOrDefault(node, Map.of()).forEach((key, number) ->
                    {
                        // Only values written in this incarnation: a fenced member may lose its last changes.
                        if (key.startsWith(node.self.name() + '-'))
                        {
                            assertThat(copies.get(0)).as("seed " + seed).containsKey(key);
                            assertThat(Integer.parseInt(copies.get(0).get(key))).as("seed " + seed + ' ' + key)
                                .isGreaterThanOrEqualTo(number);
                        }
                    });
            }
        }
    }

    @Test
    void shouldDriveOutTheSameEntriesEverywhere()
    {
        for (final EvictionPolicy policy : List.of(EvictionPolicy.FIFO, EvictionPolicy.LRU))
        {
            final SimulatedCluster cluster = cluster(3, 3, new Limits(3, policy, 0));
            final Node one = cluster.alive().get(1);
            for (final String key : List.of("a", "b", "c", "a", "d"))
            {
                one.put(key, key);
            }
            cluster.settle();
            assertThat(cluster.copies().values()).allSatisfy(copy -> assertThat(copy).containsOnlyKeys(
                policy == EvictionPolicy.FIFO ? List.of("b", "c", "d") : List.of("a", "c", "d")));
        }
    }

    @Test
    void shouldLetEntriesGoWhenTheirTimeIsOverAlsoUnderAnotherLeader()
    {
        final SimulatedCluster cluster =
            cluster(4, 3, new Limits(100, EvictionPolicy.LRU, TimeUnit.SECONDS.toNanos(30)));
        cluster.alive().get(0).put("old", "1");
        cluster.settle();
        cluster.alive().get(1).put("new", "2");
        cluster.settle();
        cluster.crash(cluster.alive().get(0));
        cluster.settle();
        cluster.alive().get(0).put("newest", "3");
        cluster.settle();
        assertThat(cluster.copies().values()).hasSize(2)
            .allSatisfy(copy -> assertThat(copy).containsOnlyKeys("newest"));
    }

    @Test
    void shouldRefuseOtherColumnsWhileSomebodyUsesTheCache()
    {
        final SimulatedCluster cluster = cluster(5, 2, LARGE);
        cluster.alive().get(1).put("a", "1");
        final Node other = cluster.join("(symbol char)", LARGE);
        cluster.settle();
        other.attach();
        cluster.settle();
        assertThat(other.isAttached).isFalse();
        assertThat(other.refusal).isEqualTo(SHAPE);
        assertThat(other.submit(Kind.CHANGE).isDone()).isFalse();
        cluster.settle();
        assertThat(other.copy).isEmpty();
        cluster.alive().subList(0, 2).forEach(node -> node.submit(Kind.DETACH));
        cluster.settle();
        other.attach();
        cluster.settle();
        assertThat(other.isAttached).isTrue();
        assertThat(other.copy).isEmpty();
    }

    @Test
    void shouldLetOneMemberLoadAndAnotherOneWhenItGoes()
    {
        final SimulatedCluster cluster = cluster(6, 3, LARGE);
        final List<Node> nodes = cluster.alive();
        final CompletableFuture<CommandResult> first = nodes.get(1).submit(Kind.CLAIM);
        cluster.settle();
        final CompletableFuture<CommandResult> second = nodes.get(2).submit(Kind.CLAIM);
        cluster.settle();
        assertThat(first.join().isDone()).isTrue();
        assertThat(second.join().isDone()).isFalse();
        assertThat(second.join().refusal()).isEqualTo(nodes.get(1).self.id().toString());
        cluster.crash(nodes.get(1));
        cluster.settle();
        final CompletableFuture<CommandResult> third = nodes.get(2).submit(Kind.CLAIM);
        cluster.settle();
        assertThat(third.join().isDone()).isTrue();
        nodes.get(2).submit(Kind.FILLED);
        cluster.settle();
        final CompletableFuture<CommandResult> fourth = nodes.get(0).submit(Kind.CLAIM);
        cluster.settle();
        assertThat(fourth.join().isDone()).isFalse();
        assertThat(fourth.join().refusal()).isEmpty();
    }

    @Test
    void shouldGiveALateMemberLargeContents()
    {
        final SimulatedCluster cluster = cluster(7, 1, new Limits(100_000, EvictionPolicy.LRU, 0));
        for (int i = 0; i < 40_000; i++)
        {
            cluster.alive().get(0).put("key-number-" + i, "value-number-" + i);
        }
        cluster.settle();
        final Node late = cluster.join(SHAPE, new Limits(100_000, EvictionPolicy.LRU, 0));
        cluster.settle();
        late.attach();
        cluster.settle();
        assertThat(late.copy).hasSize(40_000).isEqualTo(cluster.alive().get(0).copy);
    }

    @Test
    void shouldGiveLargeContentsOverASlowWay()
    {
        final Limits large = new Limits(100_000, EvictionPolicy.LRU, 0);
        final SimulatedCluster cluster = cluster(8, 1, large);
        for (int i = 0; i < 40_000; i++)
        {
            cluster.alive().get(0).put("key-number-" + i, "value-number-" + i);
        }
        cluster.settle();
        final Node late = cluster.join(SHAPE, large);
        cluster.settle();
        late.attach();
        for (int i = 0; i < 100 && !late.isAttached; i++)
        {
            cluster.deliver(1);
            cluster.pass(400);
            cluster.tick();
        }
        assertThat(late.isAttached).isTrue();
        assertThat(late.copy).hasSize(40_000);
    }

    @Test
    void shouldGiveContentsBeyondTheLimitOfChangesOnce()
    {
        final Limits large = new Limits(100_000, EvictionPolicy.LRU, 0);
        final SimulatedCluster cluster = cluster(9, 1, large);
        final Node writer = cluster.alive().get(0);
        final String value = "v".repeat(1 << 10);
        for (int i = 0; i < 12_000; i++)
        {
            writer.put("key-number-" + i, value);
        }
        cluster.settle();
        final Node late = cluster.join(SHAPE, large);
        cluster.settle();
        late.attach();
        // As many writes as parts, for longer than the transfer of three replicas takes.
        for (int i = 0; i < 200; i++)
        {
            writer.put("key-number-" + i, "changed");
            cluster.deliver(1);
            cluster.pass(10);
            cluster.tick();
        }
        cluster.settle();
        assertThat(late.copy).isEqualTo(writer.copy);
        assertThat(cluster.copiesSent() * MessageReassembler.MAX_BYTES).as("bytes of one replica")
            .isBetween(12 << 20, 16 << 20);
    }

    @Test
    void shouldAskOnceForContentsThatANewLeaderLacks()
    {
        final Limits large = new Limits(100_000, EvictionPolicy.LRU, 0);
        final SimulatedCluster cluster = cluster(10, 1, large);
        final Node first = cluster.alive().get(0);
        for (int i = 0; i < 40_000; i++)
        {
            first.put("key-number-" + i, "value-number-" + i);
        }
        cluster.settle();
        final Node next = cluster.join(SHAPE, large);
        cluster.settle();
        final Node holder = cluster.join(SHAPE, large);
        cluster.settle();
        final int before = cluster.copiesSent();
        holder.attach();
        cluster.settle();
        final int parts = cluster.copiesSent() - before;
        cluster.crash(first);
        cluster.seeAll();
        for (int i = 0; i < 100 && cluster.statesSent() == 0; i++)
        {
            cluster.deliver(1);
            cluster.tick();
        }
        // One part per 400 ms: the whole replica takes longer than the interval after which a member asks again.
        for (int i = 0; i < 100; i++)
        {
            cluster.deliver(1);
            cluster.pass(400);
            cluster.tick();
        }
        assertThat(parts).isGreaterThan(3);
        assertThat(cluster.statesSent()).as("parts of one replica").isBetween(parts - 1, parts + 1);
        next.attach();
        cluster.settle();
        assertThat(next.copy).hasSize(40_000).isEqualTo(holder.copy);
    }

    @Test
    void shouldSendNoCopyToThoseWhoHaveAllWhenALeaderIsLongInBeginning()
    {
        final SimulatedCluster cluster = cluster(11, 4, LARGE);
        final List<Node> nodes = cluster.alive();
        nodes.get(0).put("a", "1");
        cluster.settle();
        cluster.crash(nodes.get(0));
        cluster.seeAll();
        final int before = cluster.copiesSent();
        // Each second, the others ask the next leader, which waits for the replica of the last member.
        for (int i = 0; i < 8; i++)
        {
            cluster.deliverToAllBut(nodes.get(3));
            cluster.pass(1_100);
            cluster.tick();
        }
        assertThat(nodes.get(2).put("b", "2").isDone()).as("there is no leader yet").isFalse();
        cluster.settle();
        assertThat(cluster.copies().values()).hasSize(3)
            .allSatisfy(copy -> assertThat(copy).isEqualTo(Map.of("a", "1", "b", "2")));
        assertThat(cluster.copiesSent() - before).as("copies").isZero();
    }

    @Test
    void shouldSendOneCopyToAMemberThatAsksUntilALeaderIsReady()
    {
        final SimulatedCluster cluster = cluster(12, 3, LARGE);
        final List<Node> nodes = cluster.alive();
        nodes.get(0).put("a", "1");
        cluster.settle();
        final Node late = cluster.join(SHAPE, LARGE);
        cluster.crash(nodes.get(0));
        cluster.seeAll();
        late.attach();
        final int before = cluster.copiesSent();
        for (int i = 0; i < 8; i++)
        {
            cluster.deliverToAllBut(nodes.get(2));
            cluster.pass(1_100);
            cluster.tick();
        }
        assertThat(late.isAttached).isFalse();
        cluster.settle();
        assertThat(late.copy).isEqualTo(Map.of("a", "1"));
        assertThat(cluster.copiesSent() - before).as("copies").isEqualTo(1);
    }
}
