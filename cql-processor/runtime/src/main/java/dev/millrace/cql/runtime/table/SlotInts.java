package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import java.util.Arrays;

/**
 * One or more ints per slot. Storage grows by {@link SlotChunks}, so that nothing is copied and little is unused at any
 * number of slots.
 *
 * <p>Confined to one thread. Ownership: this object owns the arrays; a caller may use them until it requests more
 * capacity.
 */
public final class SlotInts
{
    private final int words;
    private final int initial;
    private final MemoryAccount memory;
    private int[][] chunks = new int[0][];
    private int room;

    /** One int per slot, initially 0. */
    public SlotInts()
    {
        this(1, 0);
    }

    /**
     * @param words   ints per slot
     * @param initial value of ints that were not set
     */
    public SlotInts(final int words, final int initial)
    {
        this(words, initial, MemoryAccount.NONE);
    }

    /**
     * @param words   ints per slot
     * @param initial value of ints that were not set
     * @param memory  charged for growth
     */
    public SlotInts(final int words, final int initial, final MemoryAccount memory)
    {
        this.memory = memory;
        this.words = words;
        this.initial = initial;
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
            grow(slot);
        }
    }

    private void grow(final int slot)
    {
        final int before = room;
        room = SlotChunks.room(slot + 1);
        chunks = SlotChunks.grown(chunks, room, words, Integer.BYTES, memory);
        for (int i = before >>> SlotChunks.BITS; initial != 0 && i < chunks.length; i++)
        {
            final int from = Math.max(0, before - (i << SlotChunks.BITS)) * words;
            Arrays.fill(chunks[i], from, chunks[i].length, initial);
        }
    }

    /** All chunks, for generated code that locates slots itself. */
    public int[][] chunks()
    {
        return chunks;
    }

    /**
     * The array that contains the ints of a slot; they begin at {@link #at}.
     *
     * @param slot within capacity
     */
    public int[] chunk(final int slot)
    {
        return chunks[slot >>> SlotChunks.BITS];
    }

    /** Index of a slot's first int in its {@link #chunk}. */
    public int at(final int slot)
    {
        return (slot & SlotChunks.MASK) * words;
    }

    /**
     * The first int of a slot.
     *
     * @param slot within capacity
     */
    public int get(final int slot)
    {
        return chunk(slot)[at(slot)];
    }

    /**
     * An int of a slot.
     *
     * @param slot within capacity
     */
    public int get(final int slot, final int word)
    {
        return chunk(slot)[at(slot) + word];
    }

    /**
     * Sets the first int of a slot.
     *
     * @param slot within capacity
     */
    public void set(final int slot, final int value)
    {
        chunk(slot)[at(slot)] = value;
    }

    /**
     * Sets an int of a slot.
     *
     * @param slot within capacity
     */
    public void set(final int slot, final int word, final int value)
    {
        chunk(slot)[at(slot) + word] = value;
    }
}
