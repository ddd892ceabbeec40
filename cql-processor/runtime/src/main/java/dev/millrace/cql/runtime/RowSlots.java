package dev.millrace.cql.runtime;

import java.util.Arrays;

/**
 * Gives dense slots 0, 1, 2, ... to keys of several 64-bit words: the grouping keys of more than one column.
 *
 * <p>Keys lie one after the other in chunks that never move. The table holds hash and slot side by side, at most half
 * full; from {@value #SPLIT_PLACES} places on it is cut into {@value #SEGMENTS} segments by the top bits of the hash,
 * each of which grows alone, so that no single row pays for moving everything.
 *
 * <p>Threads: confined to one thread.
 */
public final class RowSlots
{
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_PLACES = 128;
    private static final int SPLIT_PLACES = 1 << 13;
    private static final int SEGMENTS = 256;
    private static final int SEGMENT_SHIFT = Integer.SIZE - 8;
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_KEYS = 1 << CHUNK_BITS;
    private static final int FIRST_KEYS = 64;

    private final int words;
    private final int maxKeys;
    private final long[] key;
    /** Keys by slot; only the first chunk may be short. */
    private long[][] chunks;
    /** Hash above, slot + 1 below, a place; 0 is free. */
    private long[][] segments = {new long[INITIAL_PLACES]};
    private int[] used = new int[1];
    private int segmentMask;
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
        chunks = new long[][] {new long[words * FIRST_KEYS]};
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
        final long[] places = segments[hash >>> SEGMENT_SHIFT & segmentMask];
        final int mask = places.length - 1;
        int index = hash & mask;
        while (places[index] != 0)
        {
            final int slot = (int)places[index] - 1;
            if ((int)(places[index] >>> Integer.SIZE) == hash && isKeyAt(slot))
            {
                return slot;
            }
            index = (index + 1) & mask;
        }
        return size < maxKeys ? add(hash) : LongSlots.NONE;
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
        final long[] chunk = chunks[slot >>> CHUNK_BITS];
        final int offset = (slot & (CHUNK_KEYS - 1)) * words;
        for (int i = 0; i < words; i++)
        {
            if (chunk[offset + i] != key[i])
            {
                return false;
            }
        }
        return true;
    }

    private int add(final int hash)
    {
        final int slot = size++;
        keep(slot);
        int segment = hash >>> SEGMENT_SHIFT & segmentMask;
        if (isCrowded(segment))
        {
            grow(segment);
            segment = hash >>> SEGMENT_SHIFT & segmentMask;
        }
        put(segment, (long)hash << Integer.SIZE | slot + 1);
        return slot;
    }

    private void keep(final int slot)
    {
        final int number = slot >>> CHUNK_BITS;
        final int offset = (slot & (CHUNK_KEYS - 1)) * words;
        if (number == chunks.length)
        {
            chunks = Arrays.copyOf(chunks, number * 2);
        }
        if (chunks[number] == null)
        {
            chunks[number] = new long[Math.multiplyExact(CHUNK_KEYS, words)];
        }
        else if (offset == chunks[number].length)
        {
            chunks[number] = Arrays.copyOf(chunks[number], offset * 2);
        }
        System.arraycopy(key, 0, chunks[number], offset, words);
    }

    private boolean isCrowded(final int segment)
    {
        return used[segment] * 2 >= segments[segment].length;
    }

    private void grow(final int segment)
    {
        final long[] old = segments[segment];
        if (segmentMask == 0 && old.length >= SPLIT_PLACES)
        {
            segments = new long[SEGMENTS][SPLIT_PLACES / SEGMENTS * 2];
            used = new int[SEGMENTS];
            segmentMask = SEGMENTS - 1;
        }
        else
        {
            segments[segment] = new long[old.length * 2];
            used[segment] = 0;
        }
        for (final long entry : old)
        {
            if (entry != 0)
            {
                final int target = (int)(entry >>> Integer.SIZE) >>> SEGMENT_SHIFT & segmentMask;
                while (isCrowded(target))
                {
                    grow(target);
                }
                put(target, entry);
            }
        }
    }

    private void put(final int segment, final long entry)
    {
        final long[] places = segments[segment];
        final int mask = places.length - 1;
        int index = (int)(entry >>> Integer.SIZE) & mask;
        while (places[index] != 0)
        {
            index = (index + 1) & mask;
        }
        places[index] = entry;
        used[segment]++;
    }
}
