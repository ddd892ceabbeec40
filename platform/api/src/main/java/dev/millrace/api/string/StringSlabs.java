package dev.millrace.api.string;

import java.util.Arrays;

/**
 * Memory for strings that do not fit their record. Blocks of four sizes per power of two are cut from slabs of 64 KiB;
 * a freed block is reused for the next string of its size. A string of more than {@value #MOST_SHARED_BYTES} bytes has
 * a separate array, which is released with it. An address is the number of a slab and the offset in it.
 *
 * <p>Not thread-safe. Slabs are never released, and memory of one block size is not reused for another size.
 */
final class StringSlabs
{
    private static final int SLAB_BYTES = 1 << 16;
    private static final int MOST_SHARED_BYTES = 1 << 12;
    /** Smaller blocks could not hold the address of the next free block. */
    private static final int LEAST_BYTES = 32;

    private byte[][] slabs = new byte[4][];
    private int slabCount = 1;
    /** The slab that blocks are cut from, and the number of its used bytes. */
    private int current;
    private int taken = SLAB_BYTES;
    /** The first free block by size; 0 for none, because there is no slab 0. */
    private final long[] free = new long[64];
    /** Free numbers of slabs that were separate arrays. */
    private int[] freeSlabs = new int[4];
    private int freeSlabCount;
    private long bytes;

    /** Bytes of the block that holds a string, at most a quarter more than its length. */
    private static int blockBytes(final int length)
    {
        if (length <= LEAST_BYTES)
        {
            return LEAST_BYTES;
        }
        final int step = Integer.highestOneBit(length - 1) >> 2;
        return (length - 1 | step - 1) + 1;
    }

    private static int sizeClass(final int blockBytes)
    {
        final int top = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(blockBytes - 1);
        return (top << 2 | blockBytes - 1 >> top - 2 & 3) - 16;
    }

    /** Copies a string into a block; returns its address. */
    long add(final byte[] from, final int at, final int length)
    {
        final long address = take(length);
        System.arraycopy(from, at, slabs[slab(address)], place(address), length);
        return address;
    }

    private long take(final int length)
    {
        if (length > MOST_SHARED_BYTES)
        {
            bytes += length;
            return (long)addSlab(length) << Integer.SIZE;
        }
        final int size = blockBytes(length);
        final int sizeClass = sizeClass(size);
        final long address = free[sizeClass];
        if (address != 0)
        {
            free[sizeClass] = Utf8.getLong(slabs[slab(address)], place(address));
            return address;
        }
        if (taken + size > SLAB_BYTES)
        {
            current = addSlab(SLAB_BYTES);
            taken = 0;
            bytes += SLAB_BYTES;
        }
        taken += size;
        return (long)current << Integer.SIZE | taken - size;
    }

    private int addSlab(final int length)
    {
        final int slab = freeSlabCount > 0 ? freeSlabs[--freeSlabCount] : slabCount++;
        if (slab == slabs.length)
        {
            slabs = Arrays.copyOf(slabs, slab * 2);
        }
        slabs[slab] = new byte[length];
        return slab;
    }

    /** Frees the block of a string. */
    void remove(final long address, final int length)
    {
        final int slab = slab(address);
        if (length > MOST_SHARED_BYTES)
        {
            bytes -= length;
            slabs[slab] = null;
            if (freeSlabCount == freeSlabs.length)
            {
                freeSlabs = Arrays.copyOf(freeSlabs, freeSlabCount * 2);
            }
            freeSlabs[freeSlabCount++] = slab;
            return;
        }
        final int sizeClass = sizeClass(blockBytes(length));
        Utf8.putLong(slabs[slab], place(address), free[sizeClass]);
        free[sizeClass] = address;
    }

    /** The array that holds a string. */
    byte[] array(final long address)
    {
        return slabs[slab(address)];
    }

    /** The index in {@link #array} where the string begins. */
    static int place(final long address)
    {
        return (int)address;
    }

    private static int slab(final long address)
    {
        return (int)(address >>> Integer.SIZE);
    }

    /** Bytes of all slabs. */
    long bytes()
    {
        return bytes;
    }
}
