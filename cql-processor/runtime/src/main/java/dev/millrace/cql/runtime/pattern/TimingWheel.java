package dev.millrace.cql.runtime.pattern;

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
    private static final int FIRST_LENGTH = 16;
    private static final int NONE = -1;
    private static final int ABSENT = -1;
    private static final int NEAR = -2;

    /** Timers of the present grain and before. */
    private final SlotClock near = new SlotClock();
    private final int[] heads = new int[LEVELS * BUCKETS];
    /** Which buckets of a level have timers. */
    private final long[] filled = new long[LEVELS];
    private long[] timesNs = new long[FIRST_LENGTH];
    private int[] next = new int[FIRST_LENGTH];
    private int[] previous = new int[FIRST_LENGTH];
    /** Bucket of each partition's timer, {@link #NEAR} or {@link #ABSENT}. */
    private int[] places = new int[FIRST_LENGTH];
    private long presentGrain;

    TimingWheel()
    {
        Arrays.fill(heads, NONE);
        Arrays.fill(places, ABSENT);
    }

    private static long grain(final long timeNs)
    {
        return (timeNs ^ Long.MIN_VALUE) >>> GRAIN_BITS;
    }

    /** Sets the timer of a partition; {@link SlotClock#NEVER} cancels it. */
    void set(final int slot, final long timeNs)
    {
        if (slot >= places.length)
        {
            if (timeNs == SlotClock.NEVER)
            {
                return;
            }
            grow(slot);
        }
        if (places[slot] != ABSENT)
        {
            if (timesNs[slot] == timeNs)
            {
                return;
            }
            remove(slot);
        }
        if (timeNs != SlotClock.NEVER)
        {
            timesNs[slot] = timeNs;
            place(slot);
        }
    }

    private void grow(final int slot)
    {
        final int before = places.length;
        final int length = Math.max(slot + 1, before * 2);
        timesNs = Arrays.copyOf(timesNs, length);
        next = Arrays.copyOf(next, length);
        previous = Arrays.copyOf(previous, length);
        places = Arrays.copyOf(places, length);
        Arrays.fill(places, before, length, ABSENT);
    }

    private void place(final int slot)
    {
        final long grain = grain(timesNs[slot]);
        if (grain <= presentGrain)
        {
            places[slot] = NEAR;
            near.set(slot, timesNs[slot], 0);
            return;
        }
        final int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(grain ^ presentGrain)) / LEVEL_BITS;
        final int index = (int)(grain >>> level * LEVEL_BITS) & BUCKETS - 1;
        final int bucket = level * BUCKETS + index;
        places[slot] = bucket;
        previous[slot] = NONE;
        next[slot] = heads[bucket];
        if (heads[bucket] != NONE)
        {
            previous[heads[bucket]] = slot;
        }
        heads[bucket] = slot;
        filled[level] |= 1L << index;
    }

    private void remove(final int slot)
    {
        final int bucket = places[slot];
        places[slot] = ABSENT;
        if (bucket == NEAR)
        {
            near.set(slot, SlotClock.NEVER, 0);
            return;
        }
        if (next[slot] != NONE)
        {
            previous[next[slot]] = previous[slot];
        }
        if (previous[slot] != NONE)
        {
            next[previous[slot]] = next[slot];
        }
        else
        {
            heads[bucket] = next[slot];
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
                final int following = next[slot];
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
        return timesNs[slot];
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
