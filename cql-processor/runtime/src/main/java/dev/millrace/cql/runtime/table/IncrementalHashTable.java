package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import java.util.function.IntUnaryOperator;

/**
 * Hash table of numbers: open addressing with linear probing, at most half full. The table stores only numbers; the
 * caller walks the slots of a hash and compares what each number represents.
 *
 * <p>From {@value #SPLIT_SLOTS} slots on, the table is split by the top bits of the hash into {@value #SEGMENTS}
 * segments that grow independently, so that no call moves more than a 256th of all numbers: since segments are not
 * equally full, there are twice as many of them.
 *
 * <p>Confined to one thread. Ownership: this object owns the arrays; a caller may read them until its next change.
 */
public final class IncrementalHashTable
{
    private static final int SPLIT_SLOTS = 1 << 13;
    private static final int SEGMENT_BITS = 9;
    private static final int SEGMENTS = 1 << SEGMENT_BITS;
    private static final int SEGMENT_SHIFT = Integer.SIZE - SEGMENT_BITS;

    private final IntUnaryOperator hashes;
    private final MemoryAccount memory;
    /** Numbers plus one; 0 marks a free slot. */
    private int[][] segments;
    private int[] used = new int[1];
    private int segmentMask;

    /**
     * @param slots  initial number of slots, a power of two
     * @param hashes returns the hash of a number that is in the table
     */
    public IncrementalHashTable(final int slots, final IntUnaryOperator hashes)
    {
        this(slots, hashes, MemoryAccount.NONE);
    }

    /**
     * @param slots  initial number of slots, a power of two
     * @param hashes returns the hash of a number that is in the table
     * @param memory charged for growth
     */
    public IncrementalHashTable(final int slots, final IntUnaryOperator hashes, final MemoryAccount memory)
    {
        this.hashes = hashes;
        this.memory = memory;
        segments = new int[1][slots];
    }

    /**
     * The segment that contains all numbers of a hash, plus one, among others: they are from {@code hash & length - 1}
     * on, wrapping around the end, up to a slot that is 0.
     *
     * @return the array itself
     */
    public int[] segment(final int hash)
    {
        return segments[hash >>> SEGMENT_SHIFT & segmentMask];
    }

    /**
     * Adds a number; other numbers may have the same hash.
     *
     * @param number from 0
     */
    public void add(final int hash, final int number)
    {
        int segment = hash >>> SEGMENT_SHIFT & segmentMask;
        if (isCrowded(segment))
        {
            grow(segment);
            segment = hash >>> SEGMENT_SHIFT & segmentMask;
        }
        put(segment, hash, number);
    }

    private boolean isCrowded(final int segment)
    {
        return used[segment] * 2 >= segments[segment].length;
    }

    private void grow(final int segment)
    {
        final int[] old = segments[segment];
        memory.charge((long)old.length * Integer.BYTES);
        if (segmentMask == 0 && old.length >= SPLIT_SLOTS)
        {
            segments = new int[SEGMENTS][SPLIT_SLOTS / SEGMENTS * 2];
            used = new int[SEGMENTS];
            segmentMask = SEGMENTS - 1;
        }
        else
        {
            segments[segment] = new int[old.length * 2];
            used[segment] = 0;
        }
        for (final int slot : old)
        {
            if (slot != 0)
            {
                final int hash = hashes.applyAsInt(slot - 1);
                final int target = hash >>> SEGMENT_SHIFT & segmentMask;
                while (isCrowded(target))
                {
                    grow(target);
                }
                put(target, hash, slot - 1);
            }
        }
    }

    private void put(final int segment, final int hash, final int number)
    {
        final int[] slots = segments[segment];
        final int mask = slots.length - 1;
        int index = hash & mask;
        while (slots[index] != 0)
        {
            index = index + 1 & mask;
        }
        slots[index] = number + 1;
        used[segment]++;
    }

    private static int indexOf(final int[] slots, final int hash, final int number)
    {
        int index = hash & slots.length - 1;
        while (slots[index] != number + 1)
        {
            index = index + 1 & slots.length - 1;
        }
        return index;
    }

    /**
     * Replaces a number by another one of the same hash.
     *
     * @param number that is in the table
     */
    public void replace(final int hash, final int number, final int by)
    {
        final int[] slots = segment(hash);
        slots[indexOf(slots, hash, number)] = by + 1;
    }

    /**
     * Removes a number; later entries of its probe run move back, so that no tombstone is needed.
     *
     * @param number that is in the table
     */
    public void remove(final int hash, final int number)
    {
        final int[] slots = segment(hash);
        final int mask = slots.length - 1;
        int gap = indexOf(slots, hash, number);
        int index = gap + 1 & mask;
        while (slots[index] != 0)
        {
            final int home = hashes.applyAsInt(slots[index] - 1) & mask;
            if ((index - home & mask) >= (index - gap & mask))
            {
                slots[gap] = slots[index];
                gap = index;
            }
            index = index + 1 & mask;
        }
        slots[gap] = 0;
        used[hash >>> SEGMENT_SHIFT & segmentMask]--;
    }
}
