package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;

/**
 * One object per slot, initially null, like {@link SlotInts}.
 *
 * <p>Confined to one thread.
 */
public final class SlotObjects<T>
{
    private static final int REFERENCE_BYTES = 4;

    private final MemoryAccount memory;
    private Object[][] chunks = new Object[0][];
    private int room;

    public SlotObjects()
    {
        this(MemoryAccount.NONE);
    }

    /**
     * @param memory charged for the growth of the array, not for the objects
     */
    public SlotObjects(final MemoryAccount memory)
    {
        this.memory = memory;
    }

    /** Ensures capacity up to and including a slot. */
    public void reach(final int slot)
    {
        if (slot >= room)
        {
            room = SlotChunks.room(slot + 1);
            chunks = SlotChunks.grown(chunks, room, 1, REFERENCE_BYTES, memory);
        }
    }

    /** The object of a slot, or null. */
    @SuppressWarnings("unchecked") // set() accepts only objects of this type.
    public T get(final int slot)
    {
        return (T)chunks[slot >>> SlotChunks.BITS][slot & SlotChunks.MASK];
    }

    /**
     * Sets the object of a slot.
     *
     * @param slot   within capacity
     * @param object may be null
     */
    public void set(final int slot, final T object)
    {
        chunks[slot >>> SlotChunks.BITS][slot & SlotChunks.MASK] = object;
    }
}
