package dev.millrace.cluster.cache;

import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.Kind;
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
 * One member's part in the replication of caches: either leader or follower.
 *
 * <p>The longest-running member is the leader. It orders the changes of all members and sends them in batches to the
 * members that use the cache; each applies them to its replica. Lost or late messages are requested again, and
 * duplicates are recognized by their numbers.
 *
 * <p>Confined to the cache thread, which also provides ticks and views. No method blocks.
 */
final class Replication
{
    private static final Logger LOG = LoggerFactory.getLogger(Replication.class);

    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(2);
    /** Maximum number of changes per command. */
    static final int MAX_CHANGES = 512;
    /** A member acknowledges after this number of batches. */
    private static final int ACK_EVERY = 32;

    private final ReplicationLink link;
    private final LongSupplier clockNs;
    private final Map<String, MemberCacheState> locals = new TreeMap<>();
    private long viewed;
    private UUID self;
    private String selfName = "";
    private Map<UUID, String> names = Map.of();
    private Set<UUID> members = Set.of();
    private boolean isFenced = true;
    /** Not null when this member is the leader. */
    private Leader leader;
    /** The most recent leader known. */
    private UUID followed;
    /** Join order of the followed leader; messages of earlier leaders are ignored. */
    private long promised;
    private long askedNs;
    private boolean hasWarned;

    Replication(final ReplicationLink link, final LongSupplier clockNs)
    {
        this.link = link;
        this.clockNs = clockNs;
    }

    /** The cluster view has changed. */
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

    /** Follows a leader if it has joined later than the current one, which must have left then. */
    private boolean follow(final UUID member, final long order)
    {
        if (order <= promised)
        {
            return false;
        }
        followed = member;
        promised = order;
        leader = null;
        locals.values().forEach(MemberCacheState::lose);
        return true;
    }

    private Map<String, LogPosition> versions()
    {
        final Map<String, LogPosition> versions = new TreeMap<>();
        locals.forEach((name, local) -> versions.put(name, local.replica().version()));
        return versions;
    }

    /** The state of a cache, created on first use. */
    MemberCacheState local(final String name)
    {
        return locals.computeIfAbsent(name, key -> new MemberCacheState(key, clockNs));
    }

    /** Submits a command of this member; it fails when this member is not in the cluster. */
    void submit(final MemberCacheState local, final Kind kind, final List<Change> changes,
        final CompletableFuture<CommandResult> answer)
    {
        if (isFenced)
        {
            answer.completeExceptionally(new FencedException(selfName));
            return;
        }
        local.add(self, kind, changes, answer);
        advance(local);
    }

    /** Sends waiting commands, or requests a snapshot when the replica is not synchronized. */
    private void advance(final MemberCacheState local)
    {
        if (leader != null && leader.isReady())
        {
            if (!local.isSynchronised())
            {
                local.synchronised(self);
            }
            leader.take(self, local, local.outgoing());
        }
        else if (leader == null && !local.isSynchronised() && local.mayAsk(MemberCacheState.ASK_INTERVAL_NS))
        {
            local.clearSnapshot();
            link.send(followed, ReplicationProtocol.join(local.name()));
        }
    }

    /** Handles a message. */
    void message(final UUID from, final byte[] message)
    {
        if (isFenced)
        {
            return;
        }
        if (message.length == 0 || message[0] != ReplicationProtocol.FORMAT)
        {
            if (!hasWarned)
            {
                hasWarned = true;
                LOG.error("CLU-0305 a member uses a different version of the cache protocol, member={}: install the " +
                    "same version of the server everywhere", names.getOrDefault(from, from.toString()));
            }
            return;
        }
        final WireReader in = new WireReader(message);
        in.one();
        final ReplicationProtocol.Kind kind = ReplicationProtocol.kind(in);
        final String cache = in.text();
        switch (kind)
        {
            case SNAPSHOT -> snapshot(from, local(cache), MessageReassembler.Part.read(in));
            case RESUME -> resume(from, local(cache), LogPosition.read(in), LogPosition.read(in));
            case BATCH -> batch(from, local(cache), LogPosition.read(in), in);
            case STATUS_ASK -> statusAsk(from, in.count());
            case STATE_ASK -> stateAsk(from, cache, in.count());
            default -> toLeader(from, kind, cache, in);
        }
    }

    private void toLeader(final UUID from, final ReplicationProtocol.Kind kind, final String cache, final WireReader in)
    {
        if (leader == null)
        {
            // The sender learns of the actual leader from its own view and asks again.
            return;
        }
        switch (kind)
        {
            case JOIN -> leader.join(from, cache);
            case REQUEST -> leader.request(from, cache, in);
            case ACK -> leader.ack(from, cache, LogPosition.read(in));
            case STATUS -> leader.status(from, in.count(), readVersions(in));
            case STATE -> leader.state(from, cache, MessageReassembler.Part.read(in));
            default -> throw new IllegalStateException("internal error: a message without a receiver, kind=" + kind);
        }
    }

    private static Map<String, LogPosition> readVersions(final WireReader in)
    {
        final Map<String, LogPosition> versions = new TreeMap<>();
        for (int i = in.size(); i > 0; i--)
        {
            versions.put(in.text(), LogPosition.read(in));
        }
        return versions;
    }

    private boolean isOutdated(final long epoch)
    {
        return leader != null || epoch != promised;
    }

    private void snapshot(final UUID from, final MemberCacheState local, final MessageReassembler.Part part)
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
                // The cluster has started again and does not have this cache: this member sends its entries.
                for (int i = 0; i < before.size(); i += MAX_CHANGES)
                {
                    local.add(self, Kind.CHANGE, before.subList(i, Math.min(before.size(), i + MAX_CHANGES)),
                        new CompletableFuture<>());
                }
            }
            synchronised(from, local);
        }
    }

    private void resume(final UUID from, final MemberCacheState local, final LogPosition base, final LogPosition start)
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
            link.send(from, ReplicationProtocol.join(local.name()));
        }
    }

    private void synchronised(final UUID from, final MemberCacheState local)
    {
        local.synchronised(self);
        local.takeEarly(self);
        link.send(from, ReplicationProtocol.ack(local.name(), local.replica().version()));
    }

    private void batch(final UUID from, final MemberCacheState local, final LogPosition version,
        final WireReader commands)
    {
        if (isOutdated(version.epoch()))
        {
            return;
        }
        local.batch(self, version, commands);
        if (version.sequence() % ACK_EVERY == 0)
        {
            link.send(from, ReplicationProtocol.ack(local.name(), local.replica().version()));
        }
    }

    /** A new leader has started: messages of earlier ones are ignored from now on. */
    private void statusAsk(final UUID from, final long epoch)
    {
        follow(from, epoch);
        if (epoch == promised && leader == null)
        {
            link.send(from, ReplicationProtocol.status(epoch, versions()));
        }
    }

    private void stateAsk(final UUID from, final String cache, final long epoch)
    {
        if (epoch != promised)
        {
            return;
        }
        final Replica replica = local(cache).replica();
        for (final MessageReassembler.Part part : MessageReassembler.of(new LogPosition(epoch, 0), replica.snapshot()))
        {
            link.send(from, ReplicationProtocol.part(ReplicationProtocol.Kind.STATE, cache, part));
        }
    }

    /** Must be called often enough to expire entries in time and to repeat requests for lost messages. */
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
            if (!leader.isReady() && nowNs - askedNs > MemberCacheState.ASK_INTERVAL_NS)
            {
                askedNs = nowNs;
                leader.askAgain();
            }
        }
        for (final MemberCacheState local : new ArrayList<>(locals.values()))
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

    /**
     * Sends waiting commands if the rate limit allows it.
     *
     * @return whether commands still wait
     */
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
        for (final MemberCacheState local : locals.values())
        {
            if (local.hasOutgoing() && local.isDue())
            {
                link.send(followed, ReplicationProtocol.request(local.name(), local.outgoing()));
            }
            waits |= local.hasOutgoing();
        }
        return waits;
    }

    /** Ends replication and fails waiting commands. */
    void close()
    {
        isFenced = true;
        leader = null;
        locals.values().forEach(local -> local.reset(self, new FencedException(selfName)));
    }
}
