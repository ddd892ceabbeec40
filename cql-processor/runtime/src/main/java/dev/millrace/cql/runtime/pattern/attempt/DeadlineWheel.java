package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.table.SlotInts;
import java.util.Arrays;

/**
 * Timer wheel for deadlines of partitions: one revolution covers the longest span, and a heap sorts the current bucket.
 * A partition is set once, for a time that may be too early; the owner then returns when it is really due, so that
 * moving a deadline costs nothing per row.
 *
 * <p>Confined to the engine thread.
 */
public final class DeadlineWheel
{
    /** No time. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int BUCKETS = 1 << 12;
    private static final int FIRST_HEAP = 16;
    private static final int NONE = -1;

    /** Handles due partitions. */
    @FunctionalInterface
    public interface Owner
    {
        /**
         * Handles a partition that is due.
         *
         * @param nowNs current time
         * @return when to call again, later than now; {@link #NEVER} for no further call
         */
        long fire(int partition, long nowNs);
    }

    private final Owner owner;
    private final long tickNs;
    private final int[] heads = new int[BUCKETS];
    /** The next partition in the same bucket. */
    private final SlotInts following;
    private final MemoryAccount memory;
    private long present = Long.MIN_VALUE;
    private long[] times = new long[FIRST_HEAP];
    private int[] partitions = new int[FIRST_HEAP];
    private int heapSize;
    private int size;

    /**
     * @param rangeNs longest time between setting a deadline and the deadline
     * @param memory  charged for the growth of the wheel
     */
    DeadlineWheel(final Owner owner, final long rangeNs, final MemoryAccount memory)
    {
        this.owner = owner;
        this.memory = memory;
        following = new SlotInts(1, 0, memory);
        tickNs = rangeNs / (BUCKETS - 2) + 1;
        Arrays.fill(heads, NONE);
    }

    /**
     * Sets the deadline of a partition that has none.
     *
     * @param timeNs not after its deadline
     */
    public void set(final int partition, final long timeNs)
    {
        final long bucket = Math.floorDiv(timeNs, tickNs);
        if (present == Long.MIN_VALUE)
        {
            present = bucket - 1;
        }
        if (bucket <= present)
        {
            add(partition, timeNs);
            return;
        }
        final int index = (int)bucket & BUCKETS - 1;
        following.reach(partition);
        following.set(partition, heads[index]);
        heads[index] = partition;
        size++;
    }

    /**
     * Advances time and handles due partitions.
     *
     * @param nowNs never decreases
     */
    public void advance(final long nowNs)
    {
        while (heapSize > 0 && times[0] <= nowNs)
        {
            final int partition = partitions[0];
            removeFirst();
            fire(partition, nowNs);
        }
        final long to = Math.floorDiv(nowNs, tickNs);
        if (present == Long.MIN_VALUE || to <= present)
        {
            return;
        }
        if (size == 0)
        {
            present = to;
            return;
        }
        // One revolution visits all buckets.
        final long from = Math.max(present + 1, to - BUCKETS + 1);
        for (long bucket = from; bucket <= to; bucket++)
        {
            present = bucket;
            int partition = heads[(int)bucket & BUCKETS - 1];
            heads[(int)bucket & BUCKETS - 1] = NONE;
            while (partition != NONE)
            {
                final int next = following.get(partition);
                size--;
                fire(partition, nowNs);
                partition = next;
            }
        }
    }

    private void fire(final int partition, final long nowNs)
    {
        final long nextNs = owner.fire(partition, nowNs);
        if (nextNs != NEVER)
        {
            set(partition, nextNs);
        }
    }

    private void add(final int partition, final long timeNs)
    {
        if (heapSize == times.length)
        {
            memory.charge((long)heapSize * (Long.BYTES + Integer.BYTES));
            times = Arrays.copyOf(times, heapSize * 2);
            partitions = Arrays.copyOf(partitions, heapSize * 2);
        }
        int index = heapSize++;
        while (index > 0 && times[(index - 1) / 2] > timeNs)
        {
            times[index] = times[(index - 1) / 2];
            partitions[index] = partitions[(index - 1) / 2];
            index = (index - 1) / 2;
        }
        times[index] = timeNs;
        partitions[index] = partition;
    }

    private void removeFirst()
    {
        heapSize--;
        final long timeNs = times[heapSize];
        int index = 0;
        int child = 1;
        while (child < heapSize)
        {
            if (child + 1 < heapSize && times[child + 1] < times[child])
            {
                child++;
            }
            if (times[child] >= timeNs)
            {
                break;
            }
            times[index] = times[child];
            partitions[index] = partitions[child];
            index = child;
            child = 2 * index + 1;
        }
        times[index] = timeNs;
        partitions[index] = partitions[heapSize];
    }

    void write(final StateOutput to)
    {
        to.writeLong(present);
        to.writeCount(heapSize);
        to.writeLongs(times, 0, heapSize);
        to.writeInts(partitions, 0, heapSize);
        to.writeCount(size);
        for (int bucket = 0; bucket < BUCKETS; bucket++)
        {
            for (int partition = heads[bucket]; partition != NONE; partition = following.get(partition))
            {
                to.writeCount(bucket);
                to.writeCount(partition);
            }
        }
    }

    void read(final StateInput from)
    {
        present = from.readLong();
        heapSize = from.readSize(Long.BYTES + Integer.BYTES);
        if (heapSize > times.length)
        {
            memory.charge((long)(heapSize - times.length) * (Long.BYTES + Integer.BYTES));
            times = new long[heapSize];
            partitions = new int[heapSize];
        }
        from.readLongs(times, 0, heapSize);
        from.readInts(partitions, 0, heapSize);
        size = from.readSize(2);
        int last = NONE;
        for (int i = 0; i < size; i++)
        {
            final int bucket = StateInput.checked(from.readCount(), BUCKETS, "bucket");
            final int partition = from.readCount();
            following.reach(partition);
            following.set(partition, NONE);
            if (heads[bucket] == NONE)
            {
                heads[bucket] = partition;
            }
            else
            {
                following.set(last, partition);
            }
            last = partition;
        }
    }
}
