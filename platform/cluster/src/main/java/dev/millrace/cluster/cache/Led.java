package dev.millrace.cluster.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;

/** What the leader knows of one cache besides its copy: who gets it, and what waits. For the thread of the caches. */
final class Led
{
    /** Changes on the way to one member; beyond that it gets all anew when it is ready again. */
    private static final long MAX_WAY_BYTES = 8L << 20;
    private static final int MAX_WAY_BATCHES = 4096;
    /** So long after an answer a question is one that crossed it: less than members wait before they ask again. */
    private static final long CROSSING_NS = Replication.ASK_INTERVAL_NS / 2;

    private final Map<UUID, Holder> holders = new HashMap<>();
    private final Map<UUID, TreeMap<Long, byte[]>> early = new HashMap<>();
    private final Pace pace;
    private Out batch = new Out();
    private boolean isAwaited;

    Led(final LongSupplier clockNs)
    {
        pace = new Pace(clockNs);
    }

    /** A member that gets every change. */
    static final class Holder
    {
        private final Deque<long[]> way = new ArrayDeque<>();
        private long wayBytes;
        private boolean isBehind;
        private boolean wasAnswered;
        private long answeredNs;

        /** False when it has so much to take that it gets no more. */
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

        /** All of it is on the way, however large it is: only changes after it count for the limit. */
        void sentAll(final long sequence)
        {
            way.add(new long[] {sequence, 0});
        }

        /** What it has asked for is on the way. */
        void answered(final long nowNs)
        {
            wasAnswered = true;
            answeredNs = nowNs;
        }

        /** Whether that was a moment ago. */
        boolean wasAnswered(final long nowNs)
        {
            return wasAnswered && nowNs - answeredNs < CROSSING_NS;
        }

        /** True when it needs all anew, and can take it. */
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

    /** Commands of members that came before an earlier one of theirs. */
    TreeMap<Long, byte[]> early(final UUID member)
    {
        return early.computeIfAbsent(member, id -> new TreeMap<>());
    }

    void forget(final UUID member)
    {
        holders.remove(member);
        early.remove(member);
    }

    Out batch()
    {
        return batch;
    }

    /** A member waits for what it has asked for. */
    void await()
    {
        isAwaited = true;
    }

    /** Whether the batch goes now: somebody waits for it, or it is time. */
    boolean isDue()
    {
        return batch.size() > 0 && (isAwaited || pace.take());
    }

    /** The commands since the last call. */
    Out takeBatch()
    {
        final Out taken = batch;
        batch = new Out();
        isAwaited = false;
        return taken;
    }
}
