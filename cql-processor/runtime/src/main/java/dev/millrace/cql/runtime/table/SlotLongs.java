package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;

/**
 * One or more longs per slot, initially 0, like {@link SlotInts}. Doubles are stored as their bits.
 *
 * <p>Confined to one thread. Ownership: this object owns the arrays; a caller may use them until it requests more
 * capacity.
 */
public final class SlotLongs
{
    private final int words;
    private final MemoryAccount memory;
    private long[][] chunks = new long[0][];
    private int room;

    /**
     * @param words longs per slot
     */
    public SlotLongs(final int words)
    {
        this(words, MemoryAccount.NONE);
    }

    /**
     * @param words  longs per slot
     * @param memory charged for growth
     */
    public SlotLongs(final int words, final MemoryAccount memory)
    {
        this.memory = memory;
        this.words = words;
    }

    /** Number of slots that it has capacity for. */
    public int room()
    {
        return room;
    }

    /** Ensures capacity up to and including a slot. */
    public void reach(final int slot)
    {
        if (slot >= room)
        {
            room = SlotChunks.room(slot + 1);
            chunks = SlotChunks.longs(chunks, room, words, memory);
        }
    }

    /**
     * The array that contains the longs of a slot; they begin at {@link #at}.
     *
     * @param slot within capacity
     */
    public long[] chunk(final int slot)
    {
        return chunks[slot >>> SlotChunks.BITS];
    }

    /** Index of a slot's first long in its {@link #chunk}. */
    public int at(final int slot)
    {
        return (slot & SlotChunks.MASK) * words;
    }

    /**
     * A long of a slot.
     *
     * @param slot within capacity
     */
    public long get(final int slot, final int word)
    {
        return chunk(slot)[at(slot) + word];
    }

    /**
     * Sets a long of a slot.
     *
     * @param slot within capacity
     */
    public void set(final int slot, final int word, final long value)
    {
        chunk(slot)[at(slot) + word] = value;
    }
}
