package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * A binary heap of rows by the time at which they leave, the earliest first.
 *
 * <p>Confined to the engine thread.
 */
public final class TimeHeap implements StateHolder
{
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

    private final MemoryAccount memory;
    /** The row that leaves first is at 0; the children of i are 2i + 1 and 2i + 2. */
    private long[] times = new long[RingArrays.FEWEST];
    private int[] rows = new int[RingArrays.FEWEST];
    private int size;

    /**
     * @param memory charged for longer arrays
     */
    public TimeHeap(final MemoryAccount memory)
    {
        this.memory = memory;
    }

    /** The time at which the first row leaves, {@link Unit#NEVER} if none exists. */
    public long firstNs()
    {
        return size == 0 ? Unit.NEVER : times[0];
    }

    public int size()
    {
        return size;
    }

    /**
     * Adds a row.
     *
     * @param timeNs when it leaves
     * @param row    any number
     */
    public void add(final long timeNs, final int row)
    {
        if (size == times.length)
        {
            memory.charge((long)size * ENTRY_BYTES);
            times = Arrays.copyOf(times, size * 2);
            rows = Arrays.copyOf(rows, size * 2);
        }
        int at = size++;
        while (at > 0 && timeNs < times[at - 1 >> 1])
        {
            move(at - 1 >> 1, at);
            at = at - 1 >> 1;
        }
        times[at] = timeNs;
        rows[at] = row;
    }

    /** Removes and returns the row that leaves first; there must be one. */
    public int poll()
    {
        final int first = rows[0];
        size--;
        final long last = times[size];
        int at = 0;
        for (int below = 1; below < size; below = 2 * at + 1)
        {
            if (below + 1 < size && times[below + 1] < times[below])
            {
                below++;
            }
            if (last <= times[below])
            {
                break;
            }
            move(below, at);
            at = below;
        }
        times[at] = last;
        rows[at] = rows[size];
        return first;
    }

    /**
     * Any of the rows.
     *
     * @param index from 0, less than {@link #size}
     */
    public int row(final int index)
    {
        return rows[index];
    }

    private void move(final int from, final int to)
    {
        times[to] = times[from];
        rows[to] = rows[from];
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(size);
        to.writeLongs(times, 0, size);
        to.writeInts(rows, 0, size);
    }

    @Override
    public void read(final StateInput from)
    {
        size = from.readSize(ENTRY_BYTES);
        final int fewest = times.length;
        int capacity = fewest;
        while (capacity < size)
        {
            capacity *= 2;
        }
        memory.charge((long)(capacity - fewest) * ENTRY_BYTES);
        times = new long[capacity];
        rows = new int[capacity];
        from.readLongs(times, 0, size);
        from.readInts(rows, 0, size);
    }
}
