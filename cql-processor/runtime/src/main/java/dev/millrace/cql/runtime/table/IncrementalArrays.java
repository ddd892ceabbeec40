package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import java.lang.reflect.Array;

/**
 * Arrays of the same length, indexed by row, with incremental resize: when they are nearly full, arrays of twice the
 * length are allocated, and each call that reserves capacity copies a slice. The current arrays always hold all rows.
 *
 * <pre>
 *   current [ . . . . . . copied | only here . . . ]   a change to a row below the mark is applied to both
 *   next    [ . . . . . . copied | (empty so far)                                    ]
 * </pre>
 *
 * <p>Confined to one thread. Ownership: this object owns the arrays; a caller that keeps a reference reads it again
 * after {@link #reserve}.
 */
public final class IncrementalArrays
{
    /** Minimum number of rows that a call copies; more when a 256th of all rows is more. */
    public static final int LEAST_SLICE = 4096;

    private static final int SLICE_SHIFT = 8;
    /** The last eighth of the capacity is enough to copy all rows, even when each call adds 256 rows. */
    private static final int EARLY_SHIFT = 3;

    private final Object[] arrays;
    private final Object[] next;
    private final MemoryAccount memory;
    private final long rowBytes;
    private int capacity;
    private int nextCapacity;
    private int copied;
    private int mostCopied;

    /**
     * @param memory charged for growth
     * @param arrays of the same length, a power of two
     */
    public IncrementalArrays(final MemoryAccount memory, final Object... arrays)
    {
        this.memory = memory;
        this.arrays = arrays.clone();
        next = new Object[arrays.length];
        capacity = Array.getLength(arrays[0]);
        long bytes = 0;
        for (final Object array : arrays)
        {
            bytes += bytes(array.getClass().getComponentType());
        }
        rowBytes = bytes;
        memory.charge(capacity * rowBytes);
    }

    private static int bytes(final Class<?> element)
    {
        return element == long.class || element == double.class ? Long.BYTES :
            element == byte.class || element == boolean.class ? Byte.BYTES : Integer.BYTES;
    }

    /** Whether that many rows fit without a resize. */
    public boolean hasRoom(final int rows)
    {
        return rows <= (nextCapacity > 0 ? nextCapacity : capacity);
    }

    /** The current array. */
    public Object get(final int index)
    {
        return arrays[index];
    }

    int capacity()
    {
        return capacity;
    }

    /** Greatest number of rows that one call copied while capacity remained; for tests. */
    public int mostCopied()
    {
        return mostCopied;
    }

    /**
     * Ensures capacity and copies a slice. A call that needs more than the current capacity copies all remaining rows.
     *
     * @return whether the arrays were replaced
     */
    public boolean reserve(final int rows)
    {
        if (nextCapacity == 0 && rows > (capacity > LEAST_SLICE ? capacity - (capacity >> EARLY_SHIFT) : capacity))
        {
            makeNext(rows);
        }
        if (nextCapacity == 0)
        {
            return false;
        }
        final boolean isFull = rows > capacity;
        if (isFull && rows > nextCapacity)
        {
            makeNext(rows);
        }
        copy(isFull ? capacity : Math.min(capacity, copied + Math.max(LEAST_SLICE, capacity >> SLICE_SHIFT)), !isFull);
        return copied == capacity && exchange();
    }

    private void makeNext(final int rows)
    {
        copied = 0;
        memory.release(nextCapacity * rowBytes);
        nextCapacity = (int)Math.min(Integer.MAX_VALUE - 8, Math.max(rows, capacity * 2L));
        memory.charge(nextCapacity * rowBytes);
        for (int i = 0; i < arrays.length; i++)
        {
            next[i] = Array.newInstance(arrays[i].getClass().getComponentType(), nextCapacity);
        }
    }

    private void copy(final int end, final boolean isSlice)
    {
        for (int i = 0; i < arrays.length; i++)
        {
            System.arraycopy(arrays[i], copied, next[i], copied, end - copied);
        }
        mostCopied = isSlice ? Math.max(mostCopied, end - copied) : mostCopied;
        copied = end;
    }

    private boolean exchange()
    {
        for (int i = 0; i < arrays.length; i++)
        {
            arrays[i] = next[i];
            next[i] = null;
        }
        memory.release(capacity * rowBytes);
        capacity = nextCapacity;
        nextCapacity = 0;
        return true;
    }

    /** Records that a row was changed. */
    public void changed(final int row)
    {
        if (nextCapacity > 0 && row < copied)
        {
            for (int i = 0; i < arrays.length; i++)
            {
                System.arraycopy(arrays[i], row, next[i], row, 1);
            }
        }
    }
}
