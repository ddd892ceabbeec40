package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import java.util.BitSet;

/**
 * Assigns dense slots 0, 1, 2, ... to keys of several 64-bit words: grouping keys of more than one column.
 *
 * <p>Keys are in chunks that never move; the table of their hashes grows incrementally.
 *
 * <p>Confined to one thread.
 */
public final class RowSlotMap
{
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_SLOTS = 128;

    private final int words;
    private final int maxKeys;
    private final long[] key;
    private final MemoryAccount memory;
    private final SlotLongs keys;
    private final IncrementalHashTable table;
    private int nextSlot;
    private int size;
    /** Slots of removed keys. */
    private final BitSet free = new BitSet();

    /**
     * @param words   words per key
     * @param maxKeys maximum number of keys
     */
    public RowSlotMap(final int words, final int maxKeys)
    {
        this(words, maxKeys, MemoryAccount.NONE);
    }

    /**
     * @param words   words per key
     * @param maxKeys maximum number of keys
     * @param memory  charged for growth; while it is short, new keys get no slot
     */
    public RowSlotMap(final int words, final int maxKeys, final MemoryAccount memory)
    {
        this.memory = memory;
        this.words = words;
        this.maxKeys = maxKeys;
        key = new long[words];
        keys = new SlotLongs(words, memory);
        table = new IncrementalHashTable(INITIAL_SLOTS, this::hashAt, memory);
    }

    /** The array into which the caller writes the key before {@link #slotOfKey()}. */
    public long[] key()
    {
        return key;
    }

    public int size()
    {
        return size;
    }

    /** One more than the greatest slot ever assigned. */
    public int slotLimit()
    {
        return nextSlot;
    }

    /**
     * Whether a slot currently has no key.
     *
     * @param slot below {@link #slotLimit()}
     */
    public boolean isFree(final int slot)
    {
        return free.get(slot);
    }

    /** Removes the key of a slot, which a later key reuses. */
    public void remove(final int slot)
    {
        table.remove(hashAt(slot), slot);
        free.set(slot);
        size--;
    }

    /**
     * The slot of the key in {@link #key()}; a new key gets one.
     *
     * @return its slot, or {@link LongSlotMap#NONE} when the key is new and the table is full or memory is short
     */
    public int slotOfKey()
    {
        final int hash = hash(key, 0);
        final int[] slots = table.segment(hash);
        final int mask = slots.length - 1;
        int index = hash & mask;
        while (slots[index] != 0)
        {
            if (isKeyAt(slots[index] - 1))
            {
                return slots[index] - 1;
            }
            index = (index + 1) & mask;
        }
        return size < maxKeys && !memory.isShort() ? add(hash) : LongSlotMap.NONE;
    }

    /** A word of the key of a slot. */
    public long word(final int slot, final int word)
    {
        return keys.get(slot, word);
    }

    private int hashAt(final int slot)
    {
        return hash(keys.chunk(slot), keys.at(slot));
    }

    private int hash(final long[] from, final int at)
    {
        long hash = 0;
        for (int i = 0; i < words; i++)
        {
            hash = (hash ^ from[at + i] ^ from[at + i] >>> 32) * FACTOR;
            hash ^= hash >>> 32;
        }
        return (int)hash;
    }

    private boolean isKeyAt(final int slot)
    {
        final long[] chunk = keys.chunk(slot);
        final int offset = keys.at(slot);
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
        final int slot = free.isEmpty() ? nextSlot++ : free.nextSetBit(0);
        free.clear(slot);
        size++;
        keys.reach(slot);
        System.arraycopy(key, 0, keys.chunk(slot), keys.at(slot), words);
        table.add(hash, slot);
        return slot;
    }
}
