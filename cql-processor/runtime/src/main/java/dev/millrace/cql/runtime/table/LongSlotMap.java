package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import java.util.Arrays;

/**
 * Assigns dense slots 0, 1, 2, ... to 64-bit keys: open addressing with linear probing, keys and slots interleaved.
 *
 * <p>Small tables are at most a quarter full, since collisions cause mispredicted branches; large tables are at most
 * half full, since they are limited by memory. From {@value #SPLIT_SLOTS} entries on, the table is split by the top
 * bits of the hash into {@value #SEGMENTS} segments that grow independently, so that no row waits for the whole table
 * to move.
 *
 * <p>Keys that are small and close together, such as numbers of cars or seats, are indexes of an array instead, which
 * takes less memory than the table and no search: {@link #dense}. The other keys stay in the table.
 *
 * <p>Confined to one thread.
 */
public final class LongSlotMap
{
    /** Returned when a key has no slot. */
    public static final int NONE = -1;

    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_SLOTS = 64;
    private static final int SPLIT_SLOTS = 1 << 15;
    private static final int SEGMENTS = 512;
    private static final int SEGMENT_SHIFT = Long.SIZE - 9;
    private static final int FREE_BITS = 12;
    private static final int FREE_MASK = (1 << FREE_BITS) - 1;
    /** An array of this many ints per key is not longer than the table would be. */
    private static final int DENSE_ENTRIES_PER_KEY = 8;
    /** Bounds the time for which one row waits while keys move into the array. */
    private static final int MOST_DENSE_ENTRIES = 1 << 18;

    /** Slot + 1 by key, for all keys that are not negative and less than its length; 0 marks a free entry. */
    private int[] dense = new int[0];
    /** Number of keys above which it is examined again whether they are dense. */
    private int examinedFrom;

    /** Pairs of key and slot + 1; 0 marks a free entry. */
    private long[][] segments = {new long[INITIAL_SLOTS * 2]};
    private int[] used = new int[1];
    private int segmentMask;
    private int size;
    private int nextSlot;
    /** Slots of removed keys, in chunks that never move. */
    private int[][] freeSlots = new int[1][];
    private int freeCount;
    private int nullSlot = NONE;
    /** Bytes that the account was charged for the table, without the array of dense keys. */
    private long tableBytes;
    private final int maxKeys;
    private final MemoryAccount memory;

    /** A table without a limit, for keys whose number is limited elsewhere. */
    public LongSlotMap()
    {
        this(Integer.MAX_VALUE);
    }

    /**
     * @param maxKeys maximum number of keys at the same time, the null key included
     */
    public LongSlotMap(final int maxKeys)
    {
        this(maxKeys, MemoryAccount.NONE);
    }

    /**
     * @param maxKeys maximum number of keys at the same time, the null key included
     * @param memory  charged for growth; while it is short, new keys only get slots of removed ones
     */
    public LongSlotMap(final int maxKeys, final MemoryAccount memory)
    {
        this.maxKeys = maxKeys;
        this.memory = memory;
        segmentMask = 0;
    }

    /** Number of keys, the null key included. */
    public int size()
    {
        return size;
    }

    /** One more than the greatest slot ever assigned. */
    public int slotLimit()
    {
        return nextSlot;
    }

    /** The slot of a key, or {@link #NONE}. */
    public int find(final long key)
    {
        final int[] entries = dense;
        if (key >= 0 && key < entries.length)
        {
            return entries[(int)key] - 1;
        }
        final long hash = hash(key);
        final long[] table = segments[(int)(hash >>> SEGMENT_SHIFT) & segmentMask];
        final int mask = table.length - 1;
        int index = (int)(hash << 1) & mask;
        while (true)
        {
            final long slot = table[index + 1];
            if (slot == 0 || table[index] == key)
            {
                return (int)slot - 1;
            }
            index = (index + 2) & mask;
        }
    }

    /**
     * The slot of a key; a new key gets one.
     *
     * @return its slot, or {@link #NONE} when the key is new and the table is full or memory is short
     */
    public int slotOf(final long key)
    {
        final int slot = find(key);
        return slot >= 0 ? slot : add(key);
    }

    /**
     * The slot of the null key, which equals only itself; assigned on the first call.
     *
     * @return its slot, or {@link #NONE} when the table was full at every call so far
     */
    public int nullSlot()
    {
        if (nullSlot == NONE && size < maxKeys)
        {
            nullSlot = takeSlot();
            size++;
        }
        return nullSlot;
    }

    /**
     * All keys with their slots.
     *
     * @return pairs of key and slot; for the null key, 0 and the complement of its slot
     */
    public long[] entries()
    {
        final long[] entries = new long[Math.multiplyExact(size, 2)];
        int at = 0;
        for (int key = 0; key < dense.length; key++)
        {
            if (dense[key] != 0)
            {
                entries[at] = key;
                entries[at + 1] = dense[key] - 1L;
                at += 2;
            }
        }
        for (final long[] table : segments)
        {
            for (int i = 0; i < table.length; i += 2)
            {
                if (table[i + 1] != 0)
                {
                    entries[at] = table[i];
                    entries[at + 1] = table[i + 1] - 1;
                    at += 2;
                }
            }
        }
        if (nullSlot != NONE)
        {
            entries[at + 1] = ~nullSlot;
        }
        return entries;
    }

    /**
     * Removes a key. A later key reuses its slot.
     *
     * @return the slot it had, or {@link #NONE}
     */
    public int remove(final long key)
    {
        final int slot = isDense(key) ? removeDense((int)key) : removeFromTable(key);
        if (slot != NONE)
        {
            size--;
            keepFree(slot);
        }
        return slot;
    }

    private boolean isDense(final long key)
    {
        return key >= 0 && key < dense.length;
    }

    private int removeDense(final int key)
    {
        final int slot = dense[key] - 1;
        dense[key] = 0;
        return slot;
    }

    private int removeFromTable(final long key)
    {
        final long hash = hash(key);
        final int segment = (int)(hash >>> SEGMENT_SHIFT) & segmentMask;
        final long[] table = segments[segment];
        final int mask = table.length - 1;
        int index = (int)(hash << 1) & mask;
        while (table[index + 1] != 0 && table[index] != key)
        {
            index = (index + 2) & mask;
        }
        if (table[index + 1] == 0)
        {
            return NONE;
        }
        final int slot = (int)table[index + 1] - 1;
        closeGap(table, index);
        used[segment]--;
        return slot;
    }

    private void keepFree(final int slot)
    {
        final int number = freeCount >>> FREE_BITS;
        if (number == freeSlots.length)
        {
            freeSlots = Arrays.copyOf(freeSlots, number * 2);
        }
        if (freeSlots[number] == null)
        {
            freeSlots[number] = new int[1 << FREE_BITS];
        }
        freeSlots[number][freeCount & FREE_MASK] = slot;
        freeCount++;
    }

    /** Moves later entries of the probe run back, so that no tombstone is needed. */
    private static void closeGap(final long[] table, final int from)
    {
        final int mask = table.length - 1;
        int gap = from;
        int index = (gap + 2) & mask;
        while (table[index + 1] != 0)
        {
            final int home = (int)(hash(table[index]) << 1) & mask;
            if (((index - home) & mask) >= ((index - gap) & mask))
            {
                table[gap] = table[index];
                table[gap + 1] = table[index + 1];
                gap = index;
            }
            index = (index + 2) & mask;
        }
        table[gap] = 0;
        table[gap + 1] = 0;
    }

    private int add(final long key)
    {
        if (size >= maxKeys || freeCount == 0 && memory.isShort())
        {
            return NONE;
        }
        final int slot = takeSlot();
        size++;
        if (!isDense(key) && isCrowded(segmentOf(key)) && size > examinedFrom)
        {
            examine(key);
        }
        if (isDense(key))
        {
            dense[(int)key] = slot + 1;
        }
        else
        {
            putInTable(key, slot + 1L);
        }
        return slot;
    }

    private int segmentOf(final long key)
    {
        return (int)(hash(key) >>> SEGMENT_SHIFT) & segmentMask;
    }

    private void putInTable(final long key, final long slot)
    {
        while (isCrowded(segmentOf(key)))
        {
            grow(segmentOf(key));
        }
        final int segment = segmentOf(key);
        put(segments[segment], key, slot);
        used[segment]++;
    }

    /** Before the table grows: moves keys into the array, or into a longer one, if most keys are dense. */
    private void examine(final long next)
    {
        examinedFrom = size < MOST_DENSE_ENTRIES / DENSE_ENTRIES_PER_KEY ? size * 2 : Integer.MAX_VALUE;
        final int entries = Math.min(Integer.highestOneBit(size) * DENSE_ENTRIES_PER_KEY, MOST_DENSE_ENTRIES);
        if (entries <= dense.length)
        {
            return;
        }
        int sparse = next >= 0 && next < entries ? 0 : 1;
        for (final long[] table : segments)
        {
            for (int i = 0; i < table.length; i += 2)
            {
                sparse += table[i + 1] != 0 && (table[i] < 0 || table[i] >= entries) ? 1 : 0;
            }
        }
        if (sparse <= size / 4)
        {
            becomeDense(entries);
        }
    }

    private void becomeDense(final int entries)
    {
        final long[][] old = segments;
        memory.charge((long)(entries - dense.length) * Integer.BYTES);
        dense = Arrays.copyOf(dense, entries);
        memory.release(tableBytes);
        tableBytes = 0;
        segments = new long[][]{new long[INITIAL_SLOTS * 2]};
        used = new int[1];
        segmentMask = 0;
        for (final long[] table : old)
        {
            for (int i = 0; i < table.length; i += 2)
            {
                if (table[i + 1] != 0 && isDense(table[i]))
                {
                    dense[(int)table[i]] = (int)table[i + 1];
                }
                else if (table[i + 1] != 0)
                {
                    putInTable(table[i], table[i + 1]);
                }
            }
        }
    }

    private int takeSlot()
    {
        if (freeCount == 0)
        {
            return nextSlot++;
        }
        freeCount--;
        return freeSlots[freeCount >>> FREE_BITS][freeCount & FREE_MASK];
    }

    private boolean isCrowded(final int segment)
    {
        final int entries = segments[segment].length / 2;
        return used[segment] >= (segmentMask == 0 ? entries / 4 : entries / 2);
    }

    private void grow(final int segment)
    {
        final long[] old = segments[segment];
        memory.charge((long)old.length * Long.BYTES);
        tableBytes += (long)old.length * Long.BYTES;
        if (segmentMask == 0 && old.length / 2 >= SPLIT_SLOTS)
        {
            segments = new long[SEGMENTS][SPLIT_SLOTS / SEGMENTS * 2];
            used = new int[SEGMENTS];
            segmentMask = SEGMENTS - 1;
        }
        else
        {
            segments[segment] = new long[old.length * 2];
            used[segment] = 0;
        }
        for (int i = 0; i < old.length; i += 2)
        {
            if (old[i + 1] != 0)
            {
                putInTable(old[i], old[i + 1]);
            }
        }
    }

    private static void put(final long[] table, final long key, final long slot)
    {
        final int mask = table.length - 1;
        int index = (int)(hash(key) << 1) & mask;
        while (table[index + 1] != 0)
        {
            index = (index + 2) & mask;
        }
        table[index] = key;
        table[index + 1] = slot;
    }

    /** Folds the upper half into the lower half first, since doubles often differ in their upper bits only. */
    private static long hash(final long key)
    {
        final long product = (key ^ key >>> 32) * FACTOR;
        return product ^ product >>> 32;
    }

    /**
     * The key of a double: equal numbers have equal keys; all NaN have the same key.
     *
     * @return bits, with negative zero replaced by zero
     */
    public static long keyOf(final double value)
    {
        return Double.doubleToLongBits(value + 0.0);
    }
}
