package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * State by slot in chunks of {@value #SLOTS} slots, so that growth copies no state: chunks are added, and only the
 * first chunk is copied, while it is alone and short. The words of a slot are adjacent, in chunk {@code slot >>> BITS}
 * from {@code (slot & MASK) * words} on.
 *
 * <p>Stateless; for generated code and for {@link SlotInts}, {@link SlotLongs} and {@link SlotObjects}.
 */
public final class SlotChunks
{
    /** Number of low bits of a slot that are its index within a chunk. */
    public static final int BITS = 12;
    /** Slots per chunk. */
    public static final int SLOTS = 1 << BITS;
    /** Mask of a slot's index within its chunk. */
    public static final int MASK = SLOTS - 1;

    private static final int FIRST_SLOTS = 16;

    private SlotChunks()
    {
    }

    /**
     * The capacity to allocate for a number of slots.
     *
     * @return at least {@code needed}: a power of two, or a multiple of {@value #SLOTS}
     */
    public static int room(final int needed)
    {
        if (needed > Integer.MAX_VALUE - MASK)
        {
            return Integer.MAX_VALUE;
        }
        return needed >= SLOTS ? needed + MASK & ~MASK :
            needed <= 1 ? needed : Math.max(FIRST_SLOTS, Integer.highestOneBit(needed - 1) << 1);
    }

    /**
     * Grows chunks.
     *
     * @param chunks current chunks; initially none
     * @param room   capacity as returned by {@link #room}
     * @param words  per slot
     * @return chunks with the state of all existing slots
     */
    public static long[][] longs(final long[][] chunks, final int room, final int words)
    {
        return longs(chunks, room, words, MemoryAccount.NONE);
    }

    /**
     * Grows chunks.
     *
     * @param chunks current chunks; initially none
     * @param room   capacity as returned by {@link #room}
     * @param words  per slot
     * @param memory charged for growth
     * @return chunks with the state of all existing slots
     */
    public static long[][] longs(final long[][] chunks, final int room, final int words, final MemoryAccount memory)
    {
        return grown(chunks, room, words, Long.BYTES, memory);
    }

    /** Grows chunks of any element type, given the bytes per word, like {@link #longs}. */
    static <T> T[] grown(final T[] chunks, final int room, final int words, final int wordBytes,
        final MemoryAccount memory)
    {
        final T[] more = Arrays.copyOf(chunks, (int)((long)room + MASK >>> BITS));
        final int length = Math.multiplyExact(Math.min(room, SLOTS), words);
        final long before = chunks.length == 0 ? 0 :
            (chunks.length - 1L) * SLOTS * words + Array.getLength(chunks[chunks.length - 1]);
        memory.charge(((more.length - 1L) * SLOTS * words + length - before) * wordBytes);
        for (int i = Math.max(0, chunks.length - 1); i < more.length; i++)
        {
            more[i] = longer(more[i], chunks.getClass().getComponentType(), length);
        }
        return more;
    }

    @SuppressWarnings("unchecked") // An array of the type of the chunks.
    private static <T> T longer(final T chunk, final Class<?> kind, final int length)
    {
        final int before = chunk == null ? 0 : Array.getLength(chunk);
        if (before >= length && chunk != null)
        {
            return chunk;
        }
        final T longer = (T)Array.newInstance(kind.getComponentType(), length);
        if (before > 0)
        {
            System.arraycopy(chunk, 0, longer, 0, before);
        }
        return longer;
    }
}
