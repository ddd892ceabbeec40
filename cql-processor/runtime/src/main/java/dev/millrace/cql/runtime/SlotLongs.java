package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;

/**
 * Longs by slot, some a slot, 0 at first: as {@link SlotInts}. Doubles lie in them as their bits.
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are this object's; a caller uses them until it asks for
 * more room.
 */
public final class SlotLongs
{
    private final int words;
    private final MemoryAccount memory;
    private long[][] chunks = new long[0][];
    private int room;

    /**
     * Makes an array without room.
     *
     * @param words longs of a slot
     */
    public SlotLongs(final int words)
    {
        this(words, MemoryAccount.NONE);
    }

    /**
     * Makes an array without room.
     *
     * @param words  longs of a slot
     * @param memory is charged what it grows by
     */
    public SlotLongs(final int words, final MemoryAccount memory)
    {
        this.memory = memory;
        this.words = words;
    }

    /**
     * Slots that there is room for.
     *
     * @return at least 0
     */
    public int room()
    {
        return room;
    }

    /**
     * Makes room up to a slot.
     *
     * @param slot from 0
     */
    public void reach(final int slot)
    {
        if (slot >= room)
        {
            room = SlotChunks.room(slot + 1);
            chunks = SlotChunks.longs(chunks, room, words, memory);
        }
    }

    /**
     * The array that has the longs of a slot.
     *
     * @param slot that there is room for
     * @return chunk, in which they begin at {@link #at}
     */
    public long[] chunk(final int slot)
    {
        return chunks[slot >>> SlotChunks.BITS];
    }

    /**
     * Where the longs of a slot begin.
     *
     * @param slot from 0
     * @return place in its {@link #chunk}
     */
    public int at(final int slot)
    {
        return (slot & SlotChunks.MASK) * words;
    }

    /**
     * A long of a slot.
     *
     * @param slot that there is room for
     * @param word which
     * @return value
     */
    public long get(final int slot, final int word)
    {
        return chunk(slot)[at(slot) + word];
    }

    /**
     * Sets a long of a slot.
     *
     * @param slot  that there is room for
     * @param word  which
     * @param value of it
     */
    public void set(final int slot, final int word, final long value)
    {
        chunk(slot)[at(slot) + word] = value;
    }
}
