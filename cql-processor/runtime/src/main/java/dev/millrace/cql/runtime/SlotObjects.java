package dev.millrace.cql.runtime;

/**
 * An object by slot, null at first: as {@link SlotInts}.
 *
 * @param <T> of the objects
 *
 * <p>Threads: confined to one thread.
 */
public final class SlotObjects<T>
{
    private Object[][] chunks = new Object[0][];
    private int room;

    /** Makes an array without room. */
    public SlotObjects()
    {
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
            chunks = SlotChunks.grown(chunks, room, 1);
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
