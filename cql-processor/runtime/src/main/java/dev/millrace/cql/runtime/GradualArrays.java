package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import java.lang.reflect.Array;

/**
 * Arrays of one length, by the number of a row, that grow without a long pause: when they are nearly full, twice as
 * long ones are made beside them, and each call that asks for room copies a slice. Those in use always hold all rows.
 *
 * <pre>
 *   in use  [ . . . . . . copied | only here . . . ]   rows that change below the mark change in both
 *   next    [ . . . . . . copied | (nothing yet)                                     ]
 * </pre>
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are this object's; a caller that keeps one asks again after
 * {@link #reserve}.
 */
final class GradualArrays
{
    /** Rows that a call copies when that is more than a 256th of all. */
    static final int LEAST_SLICE = 4096;

    private static final int SLICE_SHIFT = 8;
    /** The last eighth of the room is enough to copy all, also when 256 rows come at each call. */
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
     * Takes arrays into use.
     *
     * @param memory is charged what they grow by
     * @param arrays of the same length, a power of two
     */
    GradualArrays(final MemoryAccount memory, final Object... arrays)
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

    /** Whether a row more needs no longer arrays than there are. */
    boolean hasRoom(final int rows)
    {
        return rows <= (nextCapacity > 0 ? nextCapacity : capacity);
    }

    /** The array in use. */
    Object get(final int index)
    {
        return arrays[index];
    }

    /** How many rows there is room for. */
    int capacity()
    {
        return capacity;
    }

    /** The most rows that one call has copied although there was room left; for tests. */
    int mostCopied()
    {
        return mostCopied;
    }

    /**
     * Makes room and copies a slice. Who needs more room than there is pays for what is not copied yet.
     *
     * @param rows how many rows there will be
     * @return whether there are other arrays in use now
     */
    boolean reserve(final int rows)
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

    /** A row was changed. */
    void changed(final int row)
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
