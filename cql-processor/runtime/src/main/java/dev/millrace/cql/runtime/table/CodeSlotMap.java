package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;

/**
 * Assigns dense slots 0, 1, 2, ... to string codes without hashing: presence is a byte and the slot an int, both
 * indexed by code.
 *
 * <p>The presence bytes are in one array, so that a look-up without a match costs one load. When other strings fill the
 * string table faster than slices are copied, the array grows at once, one byte per code. Slots are in chunks.
 *
 * <p>Confined to one thread.
 */
public final class CodeSlotMap
{
    /** Returned when a code has no slot. */
    public static final int NONE = LongSlotMap.NONE;

    private static final int INITIAL_CODES = 64;

    private byte[] present = new byte[INITIAL_CODES];
    private final IncrementalArrays presence;
    private final SlotInts slots;
    /** Slots of removed codes. */
    private int[] freeSlots = new int[INITIAL_CODES];
    private final IncrementalArrays freeArrays;
    private int freeCount;
    private int nextSlot;
    private int size;

    /**
     * @param memory charged for growth
     */
    public CodeSlotMap(final MemoryAccount memory)
    {
        presence = new IncrementalArrays(memory, (Object)present);
        slots = new SlotInts(1, 0, memory);
        freeArrays = new IncrementalArrays(memory, (Object)freeSlots);
    }

    /** Number of codes. */
    public int size()
    {
        return size;
    }

    /** The slot of a code, or {@link #NONE}. */
    public int find(final int code)
    {
        return code < present.length && present[code] != 0 ? slots.get(code) : NONE;
    }

    /** The slot of a code; a new code gets one. */
    public int slotOf(final int code)
    {
        final int slot = find(code);
        return slot >= 0 ? slot : add(code);
    }

    private int add(final int code)
    {
        final int slot = freeCount > 0 ? freeSlots[--freeCount] : nextSlot++;
        reserve(code + 1);
        present[code] = 1;
        presence.changed(code);
        slots.reach(code);
        slots.set(code, slot);
        size++;
        return slot;
    }

    private void reserve(final int codes)
    {
        if (presence.reserve(codes))
        {
            present = (byte[])presence.get(0);
        }
    }

    /**
     * Removes a code. A later code reuses its slot.
     *
     * @return the slot it had, or {@link #NONE}
     */
    public int remove(final int code)
    {
        final int slot = find(code);
        if (slot != NONE)
        {
            present[code] = 0;
            presence.changed(code);
            keepFree(slot);
            size--;
        }
        return slot;
    }

    private void keepFree(final int slot)
    {
        if (freeArrays.reserve(freeCount + 1))
        {
            freeSlots = (int[])freeArrays.get(0);
        }
        freeSlots[freeCount] = slot;
        freeArrays.changed(freeCount++);
    }

    /** Removes all codes; slots are assigned from 0 again. */
    public void clear()
    {
        for (int code = 0; code < present.length; code++)
        {
            present[code] = 0;
            presence.changed(code);
        }
        freeCount = 0;
        nextSlot = 0;
        size = 0;
    }

    /**
     * Presence by code, 1 or 0.
     *
     * @param codes least length
     * @return the array itself, valid until the next change
     */
    public byte[] present(final int codes)
    {
        reserve(codes);
        return present;
    }

    /**
     * Slots by code of those that are present, in chunks as in {@link SlotChunks}.
     *
     * @return the chunks themselves, valid until the next change
     */
    public int[][] slots()
    {
        return slots.chunks();
    }

    /** Greatest number of codes that a single change copied while capacity remained; for tests. */
    public int mostCopied()
    {
        return Math.max(presence.mostCopied(), freeArrays.mostCopied());
    }
}
