package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheSettings.Limits;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.ChangeKind;
import dev.millrace.cluster.cache.CacheCommand.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Members without threads, network and real time. Messages are reordered randomly, members see changes of the view at
 * different moments but in the same order, and join and leave. A seed determines the run.
 */
final class SimulatedCluster
{
    static final String CACHE = "prices";

    private final Random random;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Letter> letters = new ArrayList<>();
    private long nowNs = 1;
    private long nextOrder = 1;
    private long version;
    /** Parts of snapshots sent to members. */
    private int copiesSent;
    /** Parts of replicas sent to new leaders. */
    private int statesSent;

    SimulatedCluster(final long seed)
    {
        random = new Random(seed);
    }

    private record Letter(Node from, Node to, byte[] message)
    {
    }

    /** A member, with the cache as seen by its application. */
    final class Node implements ReplicationLink
    {
        final Replication replication = new Replication(this, () -> nowNs);
        final Map<String, String> copy = new TreeMap<>();
        final List<String> heard = new ArrayList<>();
        final List<ClusterView> views = new ArrayList<>();
        final CacheDefinition definition;
        Member self;
        boolean isAlive = true;
        boolean isAttached;
        boolean attachesSoon;
        String refusal;

        Node(final CacheDefinition definition)
        {
            this.definition = definition;
            self = member();
        }

        private Member member()
        {
            final long order = nextOrder++;
            return new Member(new UUID(random.nextLong(), order), "m" + order, Member.NO_IDENTITY, order, "", Set.of());
        }

        @Override
        public void send(final UUID member, final byte[] message)
        {
            copiesSent += message[1] == ReplicationProtocol.Kind.SNAPSHOT.ordinal() ? 1 : 0;
            statesSent += message[1] == ReplicationProtocol.Kind.STATE.ordinal() ? 1 : 0;
            nodes.stream().filter(node -> node.isAlive && node.self.id().equals(member)).findFirst()
                .ifPresent(to -> letters.add(new Letter(this, to, message)));
        }

        @Override
        public boolean mayLead()
        {
            return isAlive;
        }

        /** Attaches as soon as it is in the cluster. */
        void attachSoon()
        {
            attachesSoon = true;
        }

        private void see()
        {
            replication.view(views.remove(0));
            if (attachesSoon)
            {
                attachesSoon = false;
                attach();
            }
        }

        void attach()
        {
            final MemberCacheState local = replication.local(CACHE);
            local.use(definition);
            final CompletableFuture<CommandResult> answer = new CompletableFuture<>();
            answer.whenComplete((done, failure) ->
            {
                if (failure != null)
                {
                    // It was fenced in the meantime.
                    local.leave();
                    attachesSoon = true;
                    return;
                }
                isAttached = done.isDone();
                refusal = done.refusal();
                if (isAttached)
                {
                    local.replica().observe(this::changed);
                }
            });
            replication.submit(local, Kind.ATTACH, List.of(), answer);
        }

        private void changed(final Key key, final byte[] before, final byte[] after)
        {
            final String name = text(key.bytes());
            if (after == null)
            {
                copy.remove(name);
            }
            else
            {
                copy.put(name, text(after));
            }
            heard.add(name + '=' + (after == null ? null : text(after)));
        }

        CompletableFuture<CommandResult> put(final String key, final String value)
        {
            return change(new Change(value == null ? ChangeKind.REMOVE : ChangeKind.PUT, new Key(bytes(key)),
                value == null ? null : bytes(value)));
        }

        CompletableFuture<CommandResult> change(final Change... changes)
        {
            return submit(Kind.CHANGE, changes);
        }

        CompletableFuture<CommandResult> submit(final Kind kind, final Change... changes)
        {
            final CompletableFuture<CommandResult> answer = new CompletableFuture<>();
            replication.submit(replication.local(CACHE), kind, List.of(changes), answer);
            return answer;
        }
    }

    static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(final byte[] bytes)
    {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    Random random()
    {
        return random;
    }

    List<Node> alive()
    {
        return nodes.stream().filter(node -> node.isAlive).toList();
    }

    Node join(final String shape, final Limits limits)
    {
        final Node node = new Node(new CacheDefinition(shape, limits));
        nodes.add(node);
        tellAll();
        return node;
    }

    /** Removes a member immediately; its messages in flight can still arrive. */
    void crash(final Node node)
    {
        node.isAlive = false;
        letters.removeIf(letter -> letter.to == node || letter.from == node && random.nextBoolean());
        tellAll();
    }

    /** The others continue without the member; it rejoins as a new member. */
    void fence(final Node node)
    {
        crash(node);
        node.views.clear();
        node.replication.view(new ClusterView(++version, ClusterView.State.FENCED, node.self, List.of(node.self)));
        node.self = node.member();
        node.isAlive = true;
        tellAll();
    }

    private void tellAll()
    {
        version++;
        final List<Member> members = alive().stream().map(node -> node.self).sorted().toList();
        alive().forEach(node ->
            node.views.add(new ClusterView(version, ClusterView.State.MEMBER, node.self, members)));
    }

    /** One random step: a member receives a message, sees the next view, or sends waiting commands. */
    void step()
    {
        nowNs += 1_000;
        final List<Node> alive = alive();
        final Node node = alive.get(random.nextInt(alive.size()));
        switch (random.nextInt(8))
        {
            case 0 ->
            {
                if (!node.views.isEmpty())
                {
                    node.see();
                }
            }
            case 1, 2 -> node.replication.flush();
            default ->
            {
                if (!letters.isEmpty())
                {
                    // Mostly in order, as on a connection.
                    final Letter letter =
                        letters.remove(random.nextInt(Math.min(letters.size(), random.nextInt(4) == 0 ? 8 : 1)));
                    letter.to.replication.message(letter.from.self.id(), letter.message);
                }
            }
        }
    }

    /** Shows the current cluster to all members. */
    void seeAll()
    {
        alive().forEach(node ->
        {
            while (!node.views.isEmpty())
            {
                node.see();
            }
        });
    }

    /** Delivers the next messages in order. */
    void deliver(final int count)
    {
        for (int i = 0; i < count && !letters.isEmpty(); i++)
        {
            final Letter letter = letters.remove(0);
            letter.to.replication.message(letter.from.self.id(), letter.message);
        }
    }

    /** Delivers all messages in order, except those from and to one member. */
    void deliverToAllBut(final Node silent)
    {
        List<Letter> due = letters.stream().filter(each -> each.to != silent && each.from != silent).toList();
        while (!due.isEmpty())
        {
            letters.removeAll(due);
            due.forEach(each -> each.to.replication.message(each.from.self.id(), each.message));
            due = letters.stream().filter(each -> each.to != silent && each.from != silent).toList();
        }
    }

    int copiesSent()
    {
        return copiesSent;
    }

    int statesSent()
    {
        return statesSent;
    }

    void tick()
    {
        alive().forEach(node -> node.replication.tick());
        alive().forEach(node -> node.replication.flush());
    }

    void pass(final long ms)
    {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** Runs until no message is in flight and no member has a request. */
    void settle()
    {
        for (int round = 0; round < 12; round++)
        {
            for (int i = 0; i < 2000; i++)
            {
                step();
            }
            seeAll();
            while (!letters.isEmpty())
            {
                step();
            }
            pass(1_100);
            alive().forEach(node -> node.replication.tick());
            alive().forEach(node -> node.replication.flush());
        }
        while (!letters.isEmpty())
        {
            step();
        }
    }

    Map<Integer, Map<String, String>> copies()
    {
        final Map<Integer, Map<String, String>> copies = new LinkedHashMap<>();
        alive().forEach(node -> copies.put(nodes.indexOf(node), node.copy));
        return copies;
    }
}
