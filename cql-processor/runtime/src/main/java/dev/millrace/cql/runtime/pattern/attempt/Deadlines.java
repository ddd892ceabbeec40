package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * When something is due in a partition: one turn of a wheel of buckets that hold the longest span, and a heap for the
 * bucket of the present. A partition is set once, for a time that may be too early; whoever is asked then says when it
 * is really due, so that a deadline that moves on costs nothing a row.
 *
 * <p>Threads: the engine's.
 */
public final class Deadlines
{
    /** No time. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final int BUCKETS = 1 << 12;
    private static final int FIRST_HEAP = 16;
    private static final int NONE = -1;

    /** Knows what is due in a partition. */
    @FunctionalInterface
    public interface Owner
    {
        /**
         * Does what is due.
         *
         * @param partition its id
         * @param nowNs     present time
         * @return when it is to be asked again, later than now; {@link #NEVER} when it need not be
         */
        long fire(int partition, long nowNs);
    }

    private final Owner owner;
    private final long tickNs;
    private final int[] heads = new int[BUCKETS];
    /** The partition after each in its bucket. */
    private final SlotInts following;
    private final MemoryAccount memory;
    private long present = Long.MIN_VALUE;
    private long[] times = new long[FIRST_HEAP];
    private int[] partitions = new int[FIRST_HEAP];
    private int heapSize;
    private int size;

    /**
     * Makes a wheel.
     *
     * @param owner   is asked
     * @param rangeNs longest time between setting a deadline and the deadline
     * @param memory  is charged what the wheel grows by
     */
    Deadlines(final Owner owner, final long rangeNs, final MemoryAccount memory)
    {
        this.owner = owner;
        this.memory = memory;
        following = new SlotInts(1, 0, memory);
        tickNs = rangeNs / (BUCKETS - 2) + 1;
        Arrays.fill(heads, NONE);
    }

    /**
     * Sets a partition that is not set.
     *
     * @param partition its id
     * @param timeNs    not after its deadline
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
     * Lets time pass.
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
        // One turn meets all of them.
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
        int place = heapSize++;
        while (place > 0 && times[(place - 1) / 2] > timeNs)
        {
            times[place] = times[(place - 1) / 2];
            partitions[place] = partitions[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        times[place] = timeNs;
        partitions[place] = partition;
    }

    private void removeFirst()
    {
        heapSize--;
        final long timeNs = times[heapSize];
        int place = 0;
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
            times[place] = times[child];
            partitions[place] = partitions[child];
            place = child;
            child = 2 * place + 1;
        }
        times[place] = timeNs;
        partitions[place] = partitions[heapSize];
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
