package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotLongs;
import java.util.Arrays;

/**
 * A timer for each partition that has set one: a hierarchical timing wheel (Varghese and Lauck, "Hashed and
 * Hierarchical Timing Wheels", 1987). Setting and cancelling cost the same however many there are; the few timers of
 * the present grain of time are kept in exact order.
 *
 * <pre>
 *   time in grains, 6 bits a level:   level 2 [ 64 buckets ]  level 1 [ 64 buckets ]  level 0 [ 64 buckets ]
 *   advance: the next bucket comes down a level, at last into the heap of the present grain
 * </pre>
 *
 * <p>Threads: the engine's.
 */
final class TimingWheel
{
    private static final int GRAIN_BITS = 20;
    private static final int LEVEL_BITS = 6;
    private static final int BUCKETS = 1 << LEVEL_BITS;
    private static final int LEVELS = (Long.SIZE - GRAIN_BITS + LEVEL_BITS - 1) / LEVEL_BITS;
    private static final int NONE = -1;
    private static final int ABSENT = -1;
    private static final int NEAR = -2;
    private static final int TIME = 0;
    private static final int NEXT = 0;
    private static final int PREVIOUS = 1;

    /** Timers of the present grain and before. */
    private final SlotClock near = new SlotClock();
    private final int[] heads = new int[LEVELS * BUCKETS];
    /** Which buckets of a level have timers. */
    private final long[] filled = new long[LEVELS];
    private final SlotLongs times = new SlotLongs(1);
    /** The timers after and before each in its bucket. */
    private final SlotInts links = new SlotInts(2, 0);
    /** Bucket of each partition's timer, {@link #NEAR} or {@link #ABSENT}. */
    private final SlotInts places = new SlotInts(1, ABSENT);
    private long presentGrain;

    TimingWheel()
    {
        Arrays.fill(heads, NONE);
    }

    private static long grain(final long timeNs)
    {
        return (timeNs ^ Long.MIN_VALUE) >>> GRAIN_BITS;
    }

    /** Sets the timer of a partition; {@link SlotClock#NEVER} cancels it. */
    void set(final int slot, final long timeNs)
    {
        if (slot >= places.room())
        {
            if (timeNs == SlotClock.NEVER)
            {
                return;
            }
            times.reach(slot);
            links.reach(slot);
            places.reach(slot);
        }
        if (places.get(slot) != ABSENT)
        {
            if (timeNs(slot) == timeNs)
            {
                return;
            }
            remove(slot);
        }
        if (timeNs != SlotClock.NEVER)
        {
            times.set(slot, TIME, timeNs);
            place(slot);
        }
    }

    private void place(final int slot)
    {
        final long grain = grain(timeNs(slot));
        if (grain <= presentGrain)
        {
            places.set(slot, NEAR);
            near.set(slot, timeNs(slot), 0);
            return;
        }
        final int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(grain ^ presentGrain)) / LEVEL_BITS;
        final int index = (int)(grain >>> level * LEVEL_BITS) & BUCKETS - 1;
        final int bucket = level * BUCKETS + index;
        places.set(slot, bucket);
        links.set(slot, PREVIOUS, NONE);
        links.set(slot, NEXT, heads[bucket]);
        if (heads[bucket] != NONE)
        {
            links.set(heads[bucket], PREVIOUS, slot);
        }
        heads[bucket] = slot;
        filled[level] |= 1L << index;
    }

    private void remove(final int slot)
    {
        final int bucket = places.get(slot);
        places.set(slot, ABSENT);
        if (bucket == NEAR)
        {
            near.set(slot, SlotClock.NEVER, 0);
            return;
        }
        final int next = links.get(slot, NEXT);
        final int previous = links.get(slot, PREVIOUS);
        if (next != NONE)
        {
            links.set(next, PREVIOUS, previous);
        }
        if (previous != NONE)
        {
            links.set(previous, NEXT, next);
        }
        else
        {
            heads[bucket] = next;
            if (heads[bucket] == NONE)
            {
                filled[bucket / BUCKETS] &= ~(1L << bucket % BUCKETS);
            }
        }
    }

    /** When the wheel must be advanced next: not after the earliest timer, {@link SlotClock#NEVER} without timers. */
    long wakeNs()
    {
        if (near.firstNs() != SlotClock.NEVER)
        {
            return near.firstNs();
        }
        final int bucket = firstBucket();
        return bucket == NONE ? SlotClock.NEVER : start(bucket) << GRAIN_BITS ^ Long.MIN_VALUE;
    }

    /** Lets time pass; timers up to there are found by {@link #dueSlot} afterwards. */
    void advance(final long nowNs)
    {
        final long grain = grain(nowNs);
        int bucket = firstBucket();
        while (bucket != NONE && start(bucket) <= grain)
        {
            presentGrain = start(bucket);
            int slot = heads[bucket];
            heads[bucket] = NONE;
            filled[bucket / BUCKETS] &= ~(1L << bucket % BUCKETS);
            while (slot != NONE)
            {
                final int following = links.get(slot, NEXT);
                place(slot);
                slot = following;
            }
            bucket = firstBucket();
        }
        presentGrain = Math.max(presentGrain, grain);
    }

    /** The partition with the earliest timer that is due, -1 when none is; the timer stays until it is set anew. */
    int dueSlot(final long nowNs)
    {
        return near.firstNs() <= nowNs && near.firstNs() != SlotClock.NEVER ? near.firstSlot() : NONE;
    }

    /** The time of a partition's timer. */
    long timeNs(final int slot)
    {
        return times.get(slot, TIME);
    }

    /** The bucket with the earliest timers: lower levels come before higher ones. */
    private int firstBucket()
    {
        for (int level = 0; level < LEVELS; level++)
        {
            if (filled[level] != 0)
            {
                return level * BUCKETS + Long.numberOfTrailingZeros(filled[level]);
            }
        }
        return NONE;
    }

    /** First grain of a bucket. */
    private long start(final int bucket)
    {
        final int shift = bucket / BUCKETS * LEVEL_BITS;
        final long higher = shift + LEVEL_BITS >= Long.SIZE ? 0 : presentGrain >>> shift + LEVEL_BITS;
        return (higher << LEVEL_BITS | bucket % BUCKETS) << shift;
    }
}
