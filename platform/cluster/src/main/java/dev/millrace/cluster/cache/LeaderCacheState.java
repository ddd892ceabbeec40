package dev.millrace.cluster.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The leader's state of one cache in addition to its replica: members to update and the current batch. Confined to the
 * cache
 * thread.
 */
final class LeaderCacheState
{
    /**
     * Maximum size of unacknowledged batches per member; above it, the member gets a new snapshot when it has caught
     * up.
     */
    private static final long MAX_WAY_BYTES = 8L << 20;
    private static final int MAX_WAY_BATCHES = 4096;
    /**
     * A request that arrives within this time after an answer has crossed it. Shorter than the retry interval of
     * members.
     */
    private static final long CROSSING_NS = MemberCacheState.ASK_INTERVAL_NS / 2;

    private final Map<UUID, Holder> holders = new HashMap<>();
    private final Map<UUID, TreeMap<Long, byte[]>> early = new HashMap<>();
    private final SendRateLimiter pace;
    private WireWriter batch = new WireWriter();
    private boolean isAwaited;

    LeaderCacheState(final LongSupplier clockNs)
    {
        pace = new SendRateLimiter(clockNs);
    }

    /** A member that receives every change. */
    static final class Holder
    {
        private final Deque<long[]> way = new ArrayDeque<>();
        private long wayBytes;
        private boolean isBehind;
        private boolean wasAnswered;
        private long answeredNs;

        /** False when too much is unacknowledged, so that the member gets no more. */
        boolean mayGet()
        {
            isBehind |= wayBytes > MAX_WAY_BYTES || way.size() > MAX_WAY_BATCHES;
            return !isBehind;
        }

        void sent(final long sequence, final long bytes)
        {
            way.add(new long[] {sequence, bytes});
            wayBytes += bytes;
        }

        /** Records a snapshot. Its size does not count toward the limit, only later changes do. */
        void sentAll(final long sequence)
        {
            way.add(new long[] {sequence, 0});
        }

        /** Records that the answer to its request has been sent. */
        void answered(final long nowNs)
        {
            wasAnswered = true;
            answeredNs = nowNs;
        }

        /** Whether an answer was sent a moment ago. */
        boolean wasAnswered(final long nowNs)
        {
            return wasAnswered && nowNs - answeredNs < CROSSING_NS;
        }

        /**
         * Records an acknowledgement.
         *
         * @return whether the member needs a snapshot and can receive it
         */
        boolean taken(final long sequence)
        {
            while (!way.isEmpty() && way.peek()[0] <= sequence)
            {
                wayBytes -= way.poll()[1];
            }
            final boolean isReady = isBehind && wayBytes <= MAX_WAY_BYTES / 2 && way.size() <= MAX_WAY_BATCHES / 2;
            isBehind &= !isReady;
            return isReady;
        }
    }

    Map<UUID, Holder> holders()
    {
        return holders;
    }

    /** Commands of a member that arrived before one of its earlier commands. */
    TreeMap<Long, byte[]> early(final UUID member)
    {
        return early.computeIfAbsent(member, id -> new TreeMap<>());
    }

    void forget(final UUID member)
    {
        holders.remove(member);
        early.remove(member);
    }

    WireWriter batch()
    {
        return batch;
    }

    /** A member waits for the result of a command. */
    void await()
    {
        isAwaited = true;
    }

    /** Whether the batch is sent now: a member waits for it, or the rate limit allows it. */
    boolean isDue()
    {
        return batch.size() > 0 && (isAwaited || pace.take());
    }

    /** Removes and returns the commands since the last call. */
    WireWriter takeBatch()
    {
        final WireWriter taken = batch;
        batch = new WireWriter();
        isAwaited = false;
        return taken;
    }
}
