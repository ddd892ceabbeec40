package dev.millrace.cluster.cache;

import dev.millrace.cluster.cache.CacheCommand.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's state of one cache: its replica, and its own commands that have not been applied yet. Confined to the
 * cache thread.
 */
final class MemberCacheState
{
    /** Interval after which a member repeats a request. */
    static final long ASK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(MemberCacheState.class);

    /** Maximum number of batches that wait for an earlier one; above it, the member requests a snapshot. */
    private static final int MAX_EARLY = 8192;

    private final String name;
    private final Replica replica;
    private final LongSupplier clockNs;
    private final Deque<Pending> pending = new ArrayDeque<>();
    /** Commands for the next message to the leader. */
    private final List<byte[]> outgoing = new ArrayList<>();
    private final TreeMap<LogPosition, WireReader> early = new TreeMap<>();
    private final MessageReassembler snapshot = new MessageReassembler();
    private final SendRateLimiter pace;
    private long nextNumber = 1;
    private long askedNs;
    private long stuckNs;
    private boolean isSynchronised;
    private int uses;
    private CacheDefinition definition;

    MemberCacheState(final String name, final LongSupplier clockNs)
    {
        this.name = name;
        this.clockNs = clockNs;
        replica = new Replica(clockNs);
        pace = new SendRateLimiter(clockNs);
    }

    /** A command of this member in flight. */
    private record Pending(CacheCommand command, byte[] encoded, CompletableFuture<CommandResult> answer)
    {
    }

    String name()
    {
        return name;
    }

    Replica replica()
    {
        return replica;
    }

    /** Discards received parts of a snapshot before a new one is requested. */
    void clearSnapshot()
    {
        snapshot.clear();
    }

    /**
     * Adds a part of a snapshot. No new snapshot is requested while parts arrive.
     *
     * @return all bytes with the last part, else null
     */
    byte[] take(final MessageReassembler.Part part)
    {
        askedNs = clockNs.getAsLong();
        stuckNs = askedNs;
        return snapshot.add(part);
    }

    boolean isSynchronised()
    {
        return isSynchronised;
    }

    /** The leader has changed, or this member has left the cluster: the replica may be outdated. */
    void lose()
    {
        isSynchronised = false;
        outgoing.clear();
        early.clear();
    }

    /** This member rejoins as a new member. */
    void reset(final UUID self, final RuntimeException why)
    {
        lose();
        snapshot.clear();
        final List<Pending> failed = new ArrayList<>(pending);
        pending.clear();
        nextNumber = 1;
        askedNs = 0;
        replica.version(LogPosition.UNKNOWN);
        failed.forEach(each -> each.answer.completeExceptionally(why));
        if (uses > 0)
        {
            final CompletableFuture<CommandResult> again = new CompletableFuture<>();
            again.thenAccept(answer ->
            {
                if (!answer.isDone())
                {
                    LOG.error("CLU-0301 the other members have continued with different columns, cache={} there={} "
                        + "here={}: " +
                        "changes of this member are refused; deploy the same application everywhere", name,
                        answer.refusal(), definition.shape());
                }
            });
            add(self, Kind.ATTACH, List.of(), again);
        }
    }

    /** Registers a use in this process. The last definition applies; all have the same shape. */
    void use(final CacheDefinition wanted)
    {
        uses++;
        definition = wanted;
    }

    /**
     * Removes a use.
     *
     * @return whether it was the last one
     */
    boolean leave()
    {
        uses--;
        return uses == 0;
    }

    CacheDefinition usedAs()
    {
        return uses > 0 ? definition : null;
    }

    /** Adds a command of this member; it is sent by {@link #outgoing} or applied by {@link #take}. */
    CacheCommand add(final UUID self, final Kind kind, final List<CacheCommand.Change> changes,
        final CompletableFuture<CommandResult> answer)
    {
        final CacheCommand command =
            new CacheCommand(kind, self, nextNumber++, changes, kind == Kind.ATTACH ? definition : null);
        final byte[] encoded = command.encoded();
        pending.add(new Pending(command, encoded, answer));
        if (isSynchronised)
        {
            outgoing.add(encoded);
        }
        stuckNs = pending.size() == 1 ? clockNs.getAsLong() : stuckNs;
        return command;
    }

    /** Whether commands wait to be sent. */
    boolean hasOutgoing()
    {
        return isSynchronised && !outgoing.isEmpty();
    }

    /** Whether the rate limit allows sending now; call only when commands wait. */
    boolean isDue()
    {
        return pace.take();
    }

    /** Removes and returns the commands to send to the leader. */
    List<byte[]> outgoing()
    {
        final List<byte[]> all = List.copyOf(outgoing);
        outgoing.clear();
        return all;
    }

    /** The replica is now equal to that of the leader: commands not applied yet are sent, possibly again. */
    void synchronised(final UUID self)
    {
        isSynchronised = true;
        final long done = replica.lastNumber(self);
        while (!pending.isEmpty() && pending.peek().command.number() <= done)
        {
            final Pending known = pending.poll();
            known.answer.complete(replica.outcome(known.command));
        }
        resend();
    }

    void resend()
    {
        outgoing.clear();
        pending.forEach(each -> outgoing.add(each.encoded));
        stuckNs = clockNs.getAsLong();
    }

    /** Whether a command has waited for longer than the limit. */
    boolean isStuck(final long limitNs)
    {
        return (!pending.isEmpty() || !early.isEmpty()) && clockNs.getAsLong() - stuckNs > limitNs;
    }

    /** Whether it is time to request a snapshot from the leader. */
    boolean mayAsk(final long intervalNs)
    {
        final long nowNs = clockNs.getAsLong();
        if (askedNs != 0 && nowNs - askedNs < intervalNs)
        {
            return false;
        }
        askedNs = nowNs;
        return true;
    }

    /** Applies a command and completes the future of its sender. */
    void apply(final UUID self, final CacheCommand command)
    {
        final CommandResult answer = replica.apply(command);
        if (command.member().equals(self) && !pending.isEmpty() &&
            pending.peek().command.number() == command.number())
        {
            stuckNs = clockNs.getAsLong();
            pending.poll().answer.complete(answer);
        }
    }

    /** Applies a batch, or stores it until the batches before it have arrived. */
    void batch(final UUID self, final LogPosition version, final WireReader commands)
    {
        if (isSynchronised && version.compareTo(replica.version()) <= 0)
        {
            return;
        }
        if (early.isEmpty())
        {
            stuckNs = clockNs.getAsLong();
        }
        early.put(version, commands);
        if (early.size() > MAX_EARLY)
        {
            lose();
        }
        takeEarly(self);
    }

    /** Applies consecutive stored batches. */
    void takeEarly(final UUID self)
    {
        while (isSynchronised && !early.isEmpty())
        {
            final LogPosition first = early.firstKey();
            final LogPosition now = replica.version();
            if (first.compareTo(now) > 0 &&
                (first.epoch() != now.epoch() || first.sequence() != now.sequence() + 1))
            {
                return;
            }
            final WireReader commands = early.pollFirstEntry().getValue();
            if (first.compareTo(now) > 0)
            {
                while (commands.hasMore())
                {
                    apply(self, CacheCommand.decoded(commands.block()));
                }
                replica.version(first);
                stuckNs = clockNs.getAsLong();
            }
        }
    }
}
