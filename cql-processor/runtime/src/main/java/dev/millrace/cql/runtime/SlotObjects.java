package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;

/**
 * An object by slot, null at first: as {@link SlotInts}.
 *
 * @param <T> of the objects
 *
 * <p>Threads: confined to one thread.
 */
public final class SlotObjects<T>
{
    private static final int REFERENCE_BYTES = 4;

    private final MemoryAccount memory;
    private Object[][] chunks = new Object[0][];
    private int room;

    /** Makes an array without room. */
    public SlotObjects()
    {
        this(MemoryAccount.NONE);
    }

    /**
     * Makes an array without room.
     *
     * @param memory is charged what the array grows by, without the objects
     */
    public SlotObjects(final MemoryAccount memory)
    {
        this.memory = memory;
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
            chunks = SlotChunks.grown(chunks, room, 1, REFERENCE_BYTES, memory);
        }
    }

    /**
     * The object of a slot.
     *
     * @param slot that there is room for
     * @return object or null
     */
    @SuppressWarnings("unchecked") // set() takes nothing else
    public T get(final int slot)
    {
        return (T)chunks[slot >>> SlotChunks.BITS][slot & SlotChunks.MASK];
    }

    /**
     * Sets the object of a slot.
     *
     * @param slot   that there is room for
     * @param object or null
     */
    public void set(final int slot, final T object)
    {
        chunks[slot >>> SlotChunks.BITS][slot & SlotChunks.MASK] = object;
    }
}
