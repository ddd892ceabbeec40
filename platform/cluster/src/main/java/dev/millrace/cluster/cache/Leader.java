package dev.millrace.cluster.cache;

import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.ChangeKind;
import dev.millrace.cluster.cache.CacheCommand.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The role of the longest-running member: it orders the changes of all members. At start it asks the other members for
 * their versions and installs the most recent replica of each cache, so that no change that two members have applied is
 * lost; then it continues from there.
 *
 * <p>Confined to the cache thread.
 */
final class Leader
{
    private static final int MAX_BATCH_BYTES = 128 << 10;
    private static final int MAX_EXPIRED = 1024;

    private final UUID self;
    private final long epoch;
    private final ReplicationLink link;
    private final Function<String, MemberCacheState> locals;
    private final LongSupplier clockNs;
    private final Map<String, LeaderCacheState> led = new HashMap<>();
    private Set<UUID> present;

    /** During start: members that have not answered, versions of the others, and replicas being fetched. */
    private final Set<UUID> asked = new HashSet<>();
    private final Map<UUID, Map<String, LogPosition>> known = new LinkedHashMap<>();
    private final Map<String, UUID> fetching = new LinkedHashMap<>();
    private final Map<String, MessageReassembler> states = new HashMap<>();
    /** Replicas that were requested, or of which a part has arrived, since the last retry. */
    private final Set<String> moving = new HashSet<>();
    private boolean isReady;
    /** Requests that arrived before the leader was ready or before the view contained the sender. */
    private final Map<UUID, Set<String>> waiting = new LinkedHashMap<>();

    Leader(final UUID self, final long epoch, final ReplicationLink link,
        final Function<String, MemberCacheState> locals, final LongSupplier clockNs)
    {
        this.clockNs = clockNs;
        this.self = self;
        this.epoch = epoch;
        this.link = link;
        this.locals = locals;
    }

    boolean isReady()
    {
        return isReady;
    }

    /** Starts by asking all members for their versions. */
    void begin(final Set<UUID> members, final Map<String, LogPosition> own)
    {
        present = Set.copyOf(members);
        known.put(self, own);
        asked.addAll(members);
        asked.remove(self);
        askAgain();
        fetch();
    }

    /** Asks members that have not answered again. A replica whose parts are still arriving is not requested again. */
    void askAgain()
    {
        asked.forEach(member -> link.send(member, ReplicationProtocol.statusAsk(epoch)));
        fetching.forEach((cache, member) ->
        {
            if (!moving.remove(cache))
            {
                link.send(member, ReplicationProtocol.stateAsk(cache, epoch));
            }
        });
    }

    /** The members have changed. */
    void view(final Set<UUID> members)
    {
        waiting.keySet().removeIf(member -> present.contains(member) && !members.contains(member));
        present = Set.copyOf(members);
        asked.retainAll(present);
        known.keySet().retainAll(present);
        if (isReady)
        {
            led.forEach((cache, each) -> forgetGone(locals.apply(cache), each));
            serveWaiting();
        }
        else
        {
            fetching.values().removeIf(member -> !present.contains(member));
            fetch();
        }
    }

    private void forgetGone(final MemberCacheState local, final LeaderCacheState each)
    {
        final Set<UUID> gone = local.replica().members();
        gone.addAll(each.holders().keySet());
        gone.removeAll(present);
        gone.remove(self);
        for (final UUID member : gone)
        {
            each.forget(member);
            commit(local, new CacheCommand(Kind.GONE, member, 0, List.of(), null));
        }
    }

    void status(final UUID from, final long ofEpoch, final Map<String, LogPosition> versions)
    {
        if (ofEpoch == epoch && asked.remove(from))
        {
            known.put(from, versions);
            fetch();
        }
    }

    /**
     * When all members have answered, fetches replicas that are more recent than the local ones; then starts to lead.
     */
    private void fetch()
    {
        if (isReady || !asked.isEmpty())
        {
            return;
        }
        final Map<String, UUID> best = new TreeMap<>();
        known.forEach((member, versions) -> versions.forEach((cache, version) -> best.merge(cache, member,
            (one, other) -> known.get(one).get(cache).compareTo(known.get(other).get(cache)) >= 0 ? one : other)));
        for (final Map.Entry<String, UUID> each : best.entrySet())
        {
            final String cache = each.getKey();
            final UUID member = each.getValue();
            if (!member.equals(self) && !member.equals(fetching.get(cache)))
            {
                fetching.put(cache, member);
                states.put(cache, new MessageReassembler());
                moving.add(cache);
                link.send(member, ReplicationProtocol.stateAsk(cache, epoch));
            }
        }
        if (fetching.isEmpty())
        {
            lead();
        }
    }

    void state(final UUID from, final String cache, final MessageReassembler.Part part)
    {
        if (part.version().epoch() != epoch || !from.equals(fetching.get(cache)))
        {
            return;
        }
        moving.add(cache);
        final byte[] state = states.get(cache).add(part);
        if (state != null)
        {
            final MemberCacheState local = locals.apply(cache);
            local.replica().install(state);
            known.get(self).put(cache, local.replica().version());
            fetching.remove(cache);
            fetch();
        }
    }

    private void lead()
    {
        isReady = true;
        final Set<String> caches = new HashSet<>();
        known.values().forEach(versions -> caches.addAll(versions.keySet()));
        for (final String cache : caches)
        {
            final MemberCacheState local = locals.apply(cache);
            final LogPosition base = local.replica().version();
            final LogPosition start = new LogPosition(epoch, base.sequence());
            local.replica().version(start);
            final LeaderCacheState each = led(local);
            known.forEach((member, versions) ->
            {
                if (!member.equals(self) && versions.containsKey(cache))
                {
                    final LeaderCacheState.Holder holder = each.holders().computeIfAbsent(member,
                        id -> new LeaderCacheState.Holder());
                    // The member gets here whatever it requested before this leader was ready.
                    waiting.getOrDefault(member, new HashSet<>()).remove(cache);
                    if (base.epoch() > 0 && base.equals(versions.get(cache)))
                    {
                        link.send(member, ReplicationProtocol.resume(cache, base, start));
                        holder.answered(clockNs.getAsLong());
                    }
                    else
                    {
                        snapshot(local, member, holder);
                    }
                }
            });
            forgetGone(local, each);
            local.synchronised(self);
            take(self, local, local.outgoing());
        }
        known.clear();
        serveWaiting();
    }

    /** The leader's state of a cache; created empty on first use. */
    private LeaderCacheState led(final MemberCacheState local)
    {
        return led.computeIfAbsent(local.name(), name ->
        {
            final LogPosition version = local.replica().version();
            local.replica().version(new LogPosition(epoch, version.sequence()));
            return new LeaderCacheState(clockNs);
        });
    }

    private void serveWaiting()
    {
        final Map<UUID, Set<String>> now = new LinkedHashMap<>(waiting);
        waiting.clear();
        now.forEach((member, caches) -> caches.forEach(cache -> join(member, cache)));
    }

    void join(final UUID member, final String cache)
    {
        if (!isReady || !present.contains(member))
        {
            waiting.computeIfAbsent(member, id -> new HashSet<>()).add(cache);
            return;
        }
        final MemberCacheState local = locals.apply(cache);
        final LeaderCacheState.Holder before = led(local).holders().get(member);
        if (before != null && before.wasAnswered(clockNs.getAsLong()))
        {
            // The request was sent before the answer arrived. If the answer was lost, the member asks again.
            return;
        }
        final LeaderCacheState.Holder holder = new LeaderCacheState.Holder();
        led(local).holders().put(member, holder);
        snapshot(local, member, holder);
    }

    private void snapshot(final MemberCacheState local, final UUID member, final LeaderCacheState.Holder holder)
    {
        flush(local);
        final LogPosition version = local.replica().version();
        for (final MessageReassembler.Part part : MessageReassembler.of(version, local.replica().snapshot()))
        {
            link.send(member, ReplicationProtocol.part(ReplicationProtocol.Kind.SNAPSHOT, local.name(), part));
        }
        holder.sentAll(version.sequence());
        holder.answered(clockNs.getAsLong());
    }

    void ack(final UUID member, final String cache, final LogPosition version)
    {
        final LeaderCacheState each = led.get(cache);
        final LeaderCacheState.Holder holder = each == null ? null : each.holders().get(member);
        if (holder != null && version.epoch() == epoch && holder.taken(version.sequence()))
        {
            snapshot(locals.apply(cache), member, holder);
        }
    }

    /** Applies commands of a member, each once and in order. Does nothing without a lease. */
    void request(final UUID member, final String cache, final WireReader commands)
    {
        final List<byte[]> all = new ArrayList<>();
        while (commands.hasMore())
        {
            all.add(commands.block());
        }
        final MemberCacheState local = locals.apply(cache);
        if (isReady && present.contains(member) && led(local).holders().containsKey(member))
        {
            led(local).await();
            take(member, local, all);
        }
    }

    void take(final UUID member, final MemberCacheState local, final List<byte[]> commands)
    {
        if (commands.isEmpty() || !link.mayLead())
        {
            return;
        }
        final TreeMap<Long, byte[]> early = led(local).early(member);
        for (final byte[] encoded : commands)
        {
            final CacheCommand command = CacheCommand.decoded(encoded);
            final long next = local.replica().lastNumber(member) + 1;
            if (command.number() == next)
            {
                commit(local, command, encoded);
            }
            else if (command.number() > next)
            {
                early.put(command.number(), encoded);
            }
        }
        while (!early.isEmpty() && early.firstKey() <= local.replica().lastNumber(member) + 1)
        {
            final Map.Entry<Long, byte[]> first = early.pollFirstEntry();
            if (first.getKey() == local.replica().lastNumber(member) + 1)
            {
                commit(local, CacheCommand.decoded(first.getValue()), first.getValue());
            }
        }
    }

    private void commit(final MemberCacheState local, final CacheCommand command)
    {
        commit(local, command, command.encoded());
    }

    private void commit(final MemberCacheState local, final CacheCommand command, final byte[] encoded)
    {
        final LeaderCacheState each = led(local);
        // Add the command to the batch before applying it, so that other members get what this replica has, whatever
        // local listeners do.
        each.batch().block(encoded);
        local.apply(self, command);
        if (each.batch().size() > MAX_BATCH_BYTES)
        {
            flush(local);
        }
    }

    /** Removes expired entries. */
    void expire()
    {
        if (!isReady || !link.mayLead())
        {
            return;
        }
        for (final String cache : led.keySet())
        {
            final MemberCacheState local = locals.apply(cache);
            List<Key> old = local.replica().expired(MAX_EXPIRED);
            while (!old.isEmpty())
            {
                commit(local, new CacheCommand(Kind.CHANGE, self, 0,
                    old.stream().map(key -> new Change(ChangeKind.REMOVE, key, null)).toList(), null));
                old = old.size() == MAX_EXPIRED ? local.replica().expired(MAX_EXPIRED) : List.of();
            }
        }
    }

    /**
     * Sends commands applied since the last call.
     *
     * @return whether commands wait because of the rate limit
     */
    boolean flush()
    {
        boolean waits = false;
        for (final Map.Entry<String, LeaderCacheState> each : led.entrySet())
        {
            if (each.getValue().isDue())
            {
                flush(locals.apply(each.getKey()));
            }
            waits |= each.getValue().batch().size() > 0;
        }
        return waits;
    }

    private void flush(final MemberCacheState local)
    {
        final LeaderCacheState each = led(local);
        if (each.batch().size() == 0)
        {
            return;
        }
        final Replica replica = local.replica();
        final LogPosition version = new LogPosition(epoch, replica.version().sequence() + 1);
        replica.version(version);
        final byte[] message = ReplicationProtocol.batch(local.name(), version, each.takeBatch());
        each.holders().forEach((member, holder) ->
        {
            if (holder.mayGet())
            {
                link.send(member, message);
                holder.sent(version.sequence(), message.length);
            }
        });
    }
}
