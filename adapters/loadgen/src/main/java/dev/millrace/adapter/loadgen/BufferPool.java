package dev.millrace.adapter.loadgen;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays for incomplete data between two reads. A connection holds an array only while it has incomplete data, and
 * nothing is allocated in steady state. Confined to the I/O thread.
 */
final class BufferPool
{
    /**
     * Incomplete data up to this size is copied in front of the next read; larger data is extended in its own array.
     */
    static final int MAX_BYTES = 64 << 10;
    /** Maximum size of unused arrays; arrays returned beyond it are left to the garbage collector. */
    static final int MAX_IDLE_BYTES = 4 << 20;

    private static final int SMALLEST_BYTES = 256;

    private final List<ArrayDeque<byte[]>> bySize = new ArrayList<>();
    private int idleBytes;

    BufferPool()
    {
        for (int size = SMALLEST_BYTES; size <= MAX_BYTES; size *= 2)
        {
            bySize.add(new ArrayDeque<>());
        }
    }

    /**
     * Returns an array of at least the given size, at most {@link #MAX_BYTES}; its content is undefined.
     */
    byte[] take(final int bytes)
    {
        final int index = indexOf(bytes);
        final byte[] pooled = bySize.get(index).pollFirst();
        if (pooled == null)
        {
            return new byte[SMALLEST_BYTES << index];
        }
        idleBytes -= pooled.length;
        return pooled;
    }

    /** Returns an array to the pool; arrays of other sizes are ignored. */
    void give(final byte[] array)
    {
        if (array.length < SMALLEST_BYTES || array.length > MAX_BYTES ||
            Integer.bitCount(array.length) != 1 || idleBytes + array.length > MAX_IDLE_BYTES)
        {
            return;
        }
        bySize.get(indexOf(array.length)).addFirst(array);
        idleBytes += array.length;
    }

    int idleBytes()
    {
        return idleBytes;
    }

    private static int indexOf(final int bytes)
    {
        final int rounded = Math.max(SMALLEST_BYTES, bytes);
        return Integer.SIZE - Integer.numberOfLeadingZeros((rounded - 1) / SMALLEST_BYTES);
    }
}
