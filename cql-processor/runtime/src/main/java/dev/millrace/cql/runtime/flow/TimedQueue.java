package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows with times, first in first out, in a circle of chunks: growing makes further chunks and copies one at most.
 * Claims its rows. Threads: the engine's.
 */
final class TimedQueue
{
    static final int CHUNK_ROWS = 1024;

    private static final int FIRST_ROWS = 16;
    private static final long CHUNK_BYTES = CHUNK_ROWS * (long)(Integer.BYTES + Long.BYTES);
    private static final int SHIFT = 10;

    private final RowStore store;
    private final MemoryAccount memory;
    /** Only a first chunk that is alone may be short. */
    private int[][] rows = {new int[FIRST_ROWS]};
    private long[][] timesNs = {new long[FIRST_ROWS]};
    /** Length of the circle less one. */
    private int mask = FIRST_ROWS - 1;
    private int head;
    private int size;

    TimedQueue(final RowStore store)
    {
        this(store, store.memory());
    }

    /** One with another account than that of the store. */
    TimedQueue(final RowStore store, final MemoryAccount memory)
    {
        this.memory = memory;
        this.store = store;
    }

    int size()
    {
        return size;
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    void add(final int row, final long timeNs)
    {
        store.retain(row);
        give(row, timeNs);
    }

    /** Adds a row together with the caller's claim. */
    void give(final int row, final long timeNs)
    {
        if (size > mask)
        {
            grow();
        }
        final int place = head + size & mask;
        final int chunk = place >>> SHIFT;
        final int at = place & CHUNK_ROWS - 1;
        if (rows[chunk] == null)
        {
            addChunk(chunk);
        }
        rows[chunk][at] = row;
        timesNs[chunk][at] = timeNs;
        size++;
    }

    private void addChunk(final int chunk)
    {
        memory.charge(CHUNK_BYTES);
        rows[chunk] = new int[CHUNK_ROWS];
        timesNs[chunk] = new long[CHUNK_ROWS];
    }

    /** Twice as long a circle; its rows begin in its first chunk. */
    private void grow()
    {
        final int length = mask + 1;
        if (length < CHUNK_ROWS)
        {
            rows[0] = Arrays.copyOf(rows[0], length * 2);
            timesNs[0] = Arrays.copyOf(timesNs[0], length * 2);
            unfold(0, 0, length);
        }
        else
        {
            final int count = rows.length;
            final int first = head >>> SHIFT;
            rows = turned(rows, new int[count * 2][], first);
            timesNs = turned(timesNs, new long[count * 2][], first);
            head &= CHUNK_ROWS - 1;
            addChunk(count);
            unfold(0, count, 0);
        }
        mask = length * 2 - 1;
    }

    private static <T> T[] turned(final T[] chunks, final T[] longer, final int first)
    {
        System.arraycopy(chunks, first, longer, 0, chunks.length - first);
        System.arraycopy(chunks, 0, longer, chunks.length - first, first);
        return longer;
    }

    /** The youngest rows, which lie before the oldest one in its chunk, go behind all others. */
    private void unfold(final int from, final int to, final int at)
    {
        System.arraycopy(rows[from], 0, rows[to], at, head);
        System.arraycopy(timesNs[from], 0, timesNs[to], at, head);
    }

    /** Row of the oldest. */
    int headRow()
    {
        return rows[head >>> SHIFT][head & CHUNK_ROWS - 1];
    }

    /** Time of the oldest. */
    long headNs()
    {
        return timesNs[head >>> SHIFT][head & CHUNK_ROWS - 1];
    }

    int row(final int index)
    {
        final int place = head + index & mask;
        return rows[place >>> SHIFT][place & CHUNK_ROWS - 1];
    }

    long timeNs(final int index)
    {
        final int place = head + index & mask;
        return timesNs[place >>> SHIFT][place & CHUNK_ROWS - 1];
    }

    /** The chunks of row ids, for tests. */
    int[][] chunks()
    {
        return rows;
    }

    /** Takes the oldest out; its claim goes to the caller. */
    int poll()
    {
        final int row = headRow();
        head = head + 1 & mask;
        size--;
        return row;
    }

    void write(final StateOutput to)
    {
        to.writeCount(size);
        for (int i = 0; i < size; i++)
        {
            to.writeLong(timeNs(i));
            store.write(to, row(i));
        }
    }

    void read(final StateInput from)
    {
        for (int n = from.readSize(Long.BYTES); n > 0; n--)
        {
            final long timeNs = from.readLong();
            give(store.read(from), timeNs);
        }
    }
}
