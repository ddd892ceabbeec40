package dev.millrace.cluster.cache;

import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.SharedMap.FencedException;
import dev.millrace.cluster.cache.Command.Change;
import dev.millrace.cluster.cache.Command.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member's part in the caches of a cluster: it follows the leader, or is it.
 *
 * <p>The member that has been there longest puts the changes of all members in one order and sends them to those that
 * have the cache, in batches; each applies them to its copy. Whatever gets lost or comes late is asked for again, and
 * whatever comes twice is known by its number.
 *
 * <p>For one thread, which also tells the time and the view. Nothing here waits.
 */
final class Replication
{
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

    /** After which a member asks again for what has not come. */
    static final long ASK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(2);
    /** In one command. */
    static final int MAX_CHANGES = 512;
    /** After how many batches a member says how far it has come. */
    private static final int ACK_EVERY = 32;

    private final Link link;
    private final LongSupplier clockNs;
    private final Map<String, Local> locals = new TreeMap<>();
    private long viewed;
    private UUID self;
    private String selfName = "";
    private Map<UUID, String> names = Map.of();
    private Set<UUID> members = Set.of();
    private boolean isFenced = true;
    /** Not null when this member is it. */
    private Leader leader;
    /** Whom it follows: the latest that it knows of. */
    private UUID followed;
    /** Of that one, its place in the order of joining; earlier ones are not listened to any more. */
    private long promised;
    private long askedNs;
    private boolean hasWarned;

    Replication(final Link link, final LongSupplier clockNs)
    {
        this.link = link;
        this.clockNs = clockNs;
    }

    /** What is around. */
    interface Link
    {
        /** Sends to another member; may get lost. */
        void send(UUID member, byte[] message);

        /** Whether this member may act for the cluster. */
        boolean mayLead();
    }

    /** The cluster has changed. */
    void view(final ClusterView view)
    {
        if (view.version() < viewed)
        {
            return;
        }
        viewed = view.version();
        final Member me = view.self();
        selfName = me.name();
        if (view.state() != ClusterView.State.MEMBER)
        {
            isFenced = true;
            leader = null;
            locals.values().forEach(local -> local.reset(me.id(), new FencedException(selfName)));
            return;
        }
        if (isFenced || !me.id().equals(self))
        {
            self = me.id();
            leader = null;
            promised = 0;
            locals.values().forEach(local -> local.reset(self, new FencedException(selfName)));
        }
        isFenced = false;
        final Map<UUID, String> present = new HashMap<>();
        view.members().forEach(member -> present.put(member.id(), member.name()));
        names = present;
        members = present.keySet();
        final Member first = view.members().stream().min(Comparator.comparingLong(Member::order)).orElse(me);
        if (leader != null)
        {
            leader.view(members);
        }
        else if (follow(first.id(), first.order()) && first.id().equals(self))
        {
            leader = new Leader(self, promised, link, this::local, clockNs);
            leader.begin(members, versions());
        }
    }

    /** Follows a member when it has come later than the one at hand, which must be gone then. */
    private boolean follow(final UUID member, final long order)
    {
        if (order <= promised)
        {
            return false;
        }
        followed = member;
        promised = order;
        leader = null;
        locals.values().forEach(Local::lose);
        return true;
    }

    private Map<String, Version> versions()
    {
        final Map<String, Version> versions = new TreeMap<>();
        locals.forEach((name, local) -> versions.put(name, local.replica().version()));
        return versions;
    }

    /** The copy of a cache, made when it is asked for first. */
    Local local(final String name)
    {
        return locals.computeIfAbsent(name, key -> new Local(key, clockNs));
    }

    /** The name of a member, or its id when it is not there. */
    String memberName(final String id)
    {
        return names.getOrDefault(UUID.fromString(id), id);
    }

    /** Does a command of this member, or fails when it is not in the cluster. */
    void submit(final Local local, final Kind kind, final List<Change> changes,
        final CompletableFuture<Answer> answer)
    {
        if (isFenced)
        {
            answer.completeExceptionally(new FencedException(selfName));
            return;
        }
        local.add(self, kind, changes, answer);
        advance(local);
    }

    /** Brings a cache nearer to the leader's. */
    private void advance(final Local local)
    {
        if (leader != null && leader.isReady())
        {
            if (!local.isSynchronised())
            {
                local.synchronised(self);
            }
            leader.take(self, local, local.outgoing());
        }
        else if (leader == null && !local.isSynchronised() && local.mayAsk(ASK_INTERVAL_NS))
        {
            local.clearSnapshot();
            link.send(followed, Wire.join(local.name()));
        }
    }

    /** A message came. */
    void message(final UUID from, final byte[] message)
    {
        if (isFenced)
        {
            return;
        }
        if (message.length == 0 || message[0] != Wire.FORMAT)
        {
            if (!hasWarned)
            {
                hasWarned = true;
                LOG.error("CLU-0305 a member speaks another version of the cache protocol, member={}: install the " +
                    "same version of the server everywhere", names.getOrDefault(from, from.toString()));
            }
            return;
        }
        final In in = new In(message);
        in.one();
        final Wire.Kind kind = Wire.kind(in);
        final String cache = in.text();
        switch (kind)
        {
            case SNAPSHOT -> snapshot(from, local(cache), Parts.Part.read(in));
            case RESUME -> resume(from, local(cache), Version.read(in), Version.read(in));
            case BATCH -> batch(from, local(cache), Version.read(in), in);
            case STATUS_ASK -> statusAsk(from, in.count());
            case STATE_ASK -> stateAsk(from, cache, in.count());
            default -> toLeader(from, kind, cache, in);
        }
    }

    private void toLeader(final UUID from, final Wire.Kind kind, final String cache, final In in)
    {
        if (leader == null)
        {
            // Whoever sent it learns of the real leader by its own view, and asks again.
            return;
        }
        switch (kind)
        {
            case JOIN -> leader.join(from, cache);
            case REQUEST -> leader.request(from, cache, in);
            case ACK -> leader.ack(from, cache, Version.read(in));
            case STATUS -> leader.status(from, in.count(), readVersions(in));
            case STATE -> leader.state(from, cache, Parts.Part.read(in));
            default -> throw new IllegalStateException("our bug: a message to nobody, kind=" + kind);
        }
    }

    private static Map<String, Version> readVersions(final In in)
    {
        final Map<String, Version> versions = new TreeMap<>();
        for (int i = in.size(); i > 0; i--)
        {
            versions.put(in.text(), Version.read(in));
        }
        return versions;
    }

    private boolean isOutdated(final long epoch)
    {
        return leader != null || epoch != promised;
    }

    private void snapshot(final UUID from, final Local local, final Parts.Part part)
    {
        if (isOutdated(part.version().epoch()))
        {
            return;
        }
        final byte[] all = local.take(part);
        if (all == null)
        {
            return;
        }
        if (!local.isSynchronised() || part.version().compareTo(local.replica().version()) > 0)
        {
            final List<Change> before = local.replica().asLoads();
            local.replica().install(all);
            if (local.usedAs() != null && local.replica().definition() == null)
            {
                // The cluster has begun anew and knows nothing of it: this member gives what it had.
                for (int i = 0; i < before.size(); i += MAX_CHANGES)
                {
                    local.add(self, Kind.CHANGE, before.subList(i, Math.min(before.size(), i + MAX_CHANGES)),
                        new CompletableFuture<>());
                }
            }
            synchronised(from, local);
        }
    }

    private void resume(final UUID from, final Local local, final Version base, final Version start)
    {
        if (isOutdated(start.epoch()))
        {
            return;
        }
        if (local.replica().version().equals(base))
        {
            local.replica().version(start);
            synchronised(from, local);
        }
        else if (local.replica().version().epoch() < start.epoch())
        {
            local.lose();
            link.send(from, Wire.join(local.name()));
        }
    }

    private void synchronised(final UUID from, final Local local)
    {
        local.synchronised(self);
        local.takeEarly(self);
        link.send(from, Wire.ack(local.name(), local.replica().version()));
    }

    private void batch(final UUID from, final Local local, final Version version, final In commands)
    {
        if (isOutdated(version.epoch()))
        {
            return;
        }
        local.batch(self, version, commands);
        if (version.sequence() % ACK_EVERY == 0)
        {
            link.send(from, Wire.ack(local.name(), local.replica().version()));
        }
    }

    /** A new leader: from now on no earlier one is listened to. */
    private void statusAsk(final UUID from, final long epoch)
    {
        follow(from, epoch);
        if (epoch == promised && leader == null)
        {
            link.send(from, Wire.status(epoch, versions()));
        }
    }

    private void stateAsk(final UUID from, final String cache, final long epoch)
    {
        if (epoch != promised)
        {
            return;
        }
        final Replica replica = local(cache).replica();
        for (final Parts.Part part : Parts.of(new Version(epoch, 0), replica.snapshot()))
        {
            link.send(from, Wire.part(Wire.Kind.STATE, cache, part));
        }
    }

    /** Time goes on; often enough for entries to leave in time, and for what is lost to be asked for again. */
    void tick()
    {
        if (isFenced)
        {
            return;
        }
        final long nowNs = clockNs.getAsLong();
        if (leader != null)
        {
            leader.expire();
            if (!leader.isReady() && nowNs - askedNs > ASK_INTERVAL_NS)
            {
                askedNs = nowNs;
                leader.askAgain();
            }
        }
        for (final Local local : new ArrayList<>(locals.values()))
        {
            if (leader == null && local.isStuck(STUCK_NS))
            {
                local.lose();
            }
            if (!local.isSynchronised())
            {
                advance(local);
            }
        }
    }

    /** Sends what has come together, when it is time; true when something waits for that. */
    boolean flush()
    {
        if (isFenced)
        {
            return false;
        }
        if (leader != null)
        {
            return leader.flush();
        }
        boolean waits = false;
        for (final Local local : locals.values())
        {
            if (local.hasOutgoing() && local.isDue())
            {
                link.send(followed, Wire.request(local.name(), local.outgoing()));
            }
            waits |= local.hasOutgoing();
        }
        return waits;
    }

    /** Ends: whoever waits is told. */
    void close()
    {
        isFenced = true;
        leader = null;
        locals.values().forEach(local -> local.reset(self, new FencedException(selfName)));
    }
}
