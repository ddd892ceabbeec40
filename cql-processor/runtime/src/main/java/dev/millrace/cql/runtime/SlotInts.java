package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import java.util.Arrays;

/**
 * Ints by slot, some a slot: they grow by {@link SlotChunks}, so that nothing is copied and little is unused, however
 * many slots there are.
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are this object's; a caller uses them until it asks for
 * more room.
 */
public final class SlotInts
{
    private final int words;
    private final int initial;
    private final MemoryAccount memory;
    private int[][] chunks = new int[0][];
    private int room;

    /** Makes one int a slot, 0 at first. */
    public SlotInts()
    {
        this(1, 0);
    }

    /**
     * Makes an array without room.
     *
     * @param words   ints of a slot
     * @param initial what they are before they are set
     */
    public SlotInts(final int words, final int initial)
    {
        this(words, initial, MemoryAccount.NONE);
    }

    /**
     * Makes an array without room.
     *
     * @param words   ints of a slot
     * @param initial what they are before they are set
     * @param memory  is charged what it grows by
     */
    public SlotInts(final int words, final int initial, final MemoryAccount memory)
    {
        this.memory = memory;
        this.words = words;
        this.initial = initial;
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

    /** All chunks, for generated code that finds slots by itself. */
    int[][] chunks()
    {
        return chunks;
    }

    /**
     * The array that has the ints of a slot.
     *
     * @param slot that there is room for
     * @return chunk, in which they begin at {@link #at}
     */
    public int[] chunk(final int slot)
    {
        return chunks[slot >>> SlotChunks.BITS];
    }

    /**
     * Where the ints of a slot begin.
     *
     * @param slot from 0
     * @return place in its {@link #chunk}
     */
    public int at(final int slot)
    {
        return (slot & SlotChunks.MASK) * words;
    }

    /**
     * The first int of a slot.
     *
     * @param slot that there is room for
     * @return value
     */
    public int get(final int slot)
    {
        return chunk(slot)[at(slot)];
    }

    /**
     * An int of a slot.
     *
     * @param slot that there is room for
     * @param word which
     * @return value
     */
    public int get(final int slot, final int word)
    {
        return chunk(slot)[at(slot) + word];
    }

    /**
     * Sets the first int of a slot.
     *
     * @param slot  that there is room for
     * @param value of it
     */
    public void set(final int slot, final int value)
    {
        chunk(slot)[at(slot)] = value;
    }

    /**
     * Sets an int of a slot.
     *
     * @param slot  that there is room for
     * @param word  which
     * @param value of it
     */
    public void set(final int slot, final int word, final int value)
    {
        chunk(slot)[at(slot) + word] = value;
    }
}
