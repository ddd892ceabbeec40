package dev.millrace.cql.runtime;

import java.util.Arrays;

/**
 * Gives dense slots 0, 1, 2, ... to keys of several 64-bit words: the grouping keys of more than one column.
 *
 * <p>Keys lie one after the other in an arena, the table holds slots and is kept at most half full; growth is
 * amortised. Threads: confined to one thread.
 */
public final class RowSlots
{
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_PLACES = 128;

    private final int words;
    private final int maxKeys;
    private final long[] key;
    private long[] arena;
    private int[] hashes;
    /** Slot + 1 a place; 0 is free. */
    private int[] places = new int[INITIAL_PLACES];
    private int size;

    /**
     * Makes an empty table.
     *
     * @param words   length of a key
     * @param maxKeys how many keys have a slot
     */
    public RowSlots(final int words, final int maxKeys)
    {
        this.words = words;
        this.maxKeys = maxKeys;
        key = new long[words];
        arena = new long[words * INITIAL_PLACES / 2];
        hashes = new int[INITIAL_PLACES / 2];
    }

    /**
     * Where the caller writes the key that it asks for next.
     *
     * @return the array itself
     */
    public long[] key()
    {
        return key;
    }

    /**
     * Number of keys.
     *
     * @return at least 0
     */
    public int size()
    {
        return size;
    }

    /**
     * All slots given out so far are below this.
     *
     * @return as {@link #size()}
     */
    public int slotLimit()
    {
        return size;
    }

    /**
     * The slot of the key in {@link #key()}; a new key gets one.
     *
     * @return its slot, or {@link LongSlots#NONE} when the key is new and the table is full
     */
    public int slotOfKey()
    {
        final int hash = hashOfKey();
        final int mask = places.length - 1;
        int index = hash & mask;
        while (places[index] != 0)
        {
            final int slot = places[index] - 1;
            if (hashes[slot] == hash && isKeyAt(slot))
            {
                return slot;
            }
            index = (index + 1) & mask;
        }
        return size < maxKeys ? add(hash, index) : LongSlots.NONE;
    }

    private int hashOfKey()
    {
        long hash = 0;
        for (int i = 0; i < words; i++)
        {
            hash = (hash ^ key[i] ^ key[i] >>> 32) * FACTOR;
            hash ^= hash >>> 32;
        }
        return (int)hash;
    }

    private boolean isKeyAt(final int slot)
    {
        final int offset = slot * words;
        for (int i = 0; i < words; i++)
        {
            if (arena[offset + i] != key[i])
            {
                return false;
            }
        }
        return true;
    }

    private int add(final int hash, final int place)
    {
        final int slot = size++;
        if (slot == hashes.length)
        {
            hashes = Arrays.copyOf(hashes, slot * 2);
            arena = Arrays.copyOf(arena, Math.multiplyExact(slot * 2, words));
        }
        hashes[slot] = hash;
        System.arraycopy(key, 0, arena, slot * words, words);
        places[place] = slot + 1;
        if (size * 2 > places.length)
        {
            places = new int[places.length * 2];
            final int mask = places.length - 1;
            for (int i = 0; i < size; i++)
            {
                int index = hashes[i] & mask;
                while (places[index] != 0)
                {
                    index = (index + 1) & mask;
                }
                places[index] = i + 1;
            }
        }
        return slot;
    }
}
