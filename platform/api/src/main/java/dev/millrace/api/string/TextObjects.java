package dev.millrace.api.string;

import java.util.Arrays;

/**
 * Carried strings of a table that are stored as the objects that arrived, without a look-up: each has a separate
 * negative code, even if other strings are equal. A string whose code has no holder is released at the end of the
 * batch.
 *
 * <p>Threads: confined to one thread. Released codes are reused; their memory is retained.
 */
final class TextObjects
{
    /** An object, its array and references to both, without the characters. */
    private static final int OBJECT_BYTES = 48;
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;
    private static final int FEWEST = 16;
    /** The first index: the index of {@link StringTable#FULL} is not used. */
    private static final int FIRST = 2;
    private static final long HOLDER = 1L << Integer.SIZE;
    private static final long WAITS = 1L << Integer.SIZE - 1;
    /** Set for a code that is not in use; the other bits contain the next one. */
    private static final long FREE = Long.MIN_VALUE;

    private final int mostResting;
    private String[][] strings = {new String[0]};
    /** Per string: the number of its holders, whether it waits, and its bytes. */
    private long[][] words = {new long[0]};
    private int limit = FIRST;
    private int free;
    private long bytes;
    private final IntQueue fresh = new IntQueue();
    private final IntQueue leaving = new IntQueue();
    private final IntQueue resting = new IntQueue();

    /**
     * @param mostResting how many released codes are not reused yet
     */
    TextObjects(final int mostResting)
    {
        this.mostResting = mostResting;
    }

    /** Returns a new code, without holder, for a string of a length in characters. */
    int add(final String text, final int length)
    {
        int index = free;
        if (index != 0)
        {
            free = (int)(words[index >> CHUNK_BITS][index & CHUNK_SIZE - 1] & ~FREE);
        }
        else
        {
            index = limit++;
            reserve(index);
        }
        final int taken = OBJECT_BYTES + length;
        words[index >> CHUNK_BITS][index & CHUNK_SIZE - 1] = taken;
        strings[index >> CHUNK_BITS][index & CHUNK_SIZE - 1] = text;
        bytes += taken;
        fresh.add(index);
        return -index;
    }

    /** The first chunk grows, so that a small table is small. */
    private void reserve(final int index)
    {
        final int chunk = index >> CHUNK_BITS;
        if (chunk == strings.length)
        {
            strings = Arrays.copyOf(strings, chunk * 2);
            words = Arrays.copyOf(words, chunk * 2);
        }
        final int length = chunk > 0 ? CHUNK_SIZE : Math.max(FEWEST, Integer.highestOneBit(index) * 2);
        final int before = strings[chunk] == null ? 0 : strings[chunk].length;
        if ((index & CHUNK_SIZE - 1) >= before)
        {
            bytes += (long)(length - before) * (Integer.BYTES + Long.BYTES);
            strings[chunk] = before == 0 ? new String[length] : Arrays.copyOf(strings[chunk], length);
            words[chunk] = before == 0 ? new long[length] : Arrays.copyOf(words[chunk], length);
        }
    }

    /** Returns the string of a code. */
    String text(final int code)
    {
        final String text = strings[-code >> CHUNK_BITS][-code & CHUNK_SIZE - 1];
        if (text == null)
        {
            throw new IllegalStateException("code is not in use, please report this: code=" + code);
        }
        return text;
    }

    void hold(final int code)
    {
        final long[] chunk = words[-code >> CHUNK_BITS];
        final int slot = -code & CHUNK_SIZE - 1;
        if (chunk[slot] < 0)
        {
            throw new IllegalStateException("code is not in use, please report this: code=" + code);
        }
        chunk[slot] += HOLDER;
    }

    void release(final int code)
    {
        final long[] chunk = words[-code >> CHUNK_BITS];
        final int slot = -code & CHUNK_SIZE - 1;
        if (chunk[slot] < HOLDER)
        {
            throw new IllegalStateException("this code has no holder, please report this: code=" + code);
        }
        chunk[slot] -= HOLDER;
        await(chunk, slot, -code);
    }

    private void await(final long[] chunk, final int slot, final int index)
    {
        if (chunk[slot] < HOLDER && (chunk[slot] & WAITS) == 0)
        {
            chunk[slot] |= WAITS;
            leaving.add(index);
        }
    }

    /** Releases strings without holders. */
    void endOfBatch()
    {
        for (int i = fresh.size(); i > 0; i--)
        {
            final int index = fresh.poll();
            await(words[index >> CHUNK_BITS], index & CHUNK_SIZE - 1, index);
        }
        for (int i = leaving.size(); i > 0; i--)
        {
            final int index = leaving.poll();
            final long[] chunk = words[index >> CHUNK_BITS];
            final int slot = index & CHUNK_SIZE - 1;
            chunk[slot] &= ~WAITS;
            if (chunk[slot] < HOLDER)
            {
                bytes -= chunk[slot];
                strings[index >> CHUNK_BITS][slot] = null;
                chunk[slot] = FREE;
                giveBack(index);
            }
        }
    }

    private void giveBack(final int index)
    {
        if (mostResting > 0)
        {
            resting.add(index);
        }
        final int next = mostResting == 0 ? index : resting.size() > mostResting ? resting.poll() : 0;
        if (next != 0)
        {
            words[next >> CHUNK_BITS][next & CHUNK_SIZE - 1] = FREE | free;
            free = next;
        }
    }

    /** Returns the bytes of all strings and of the arrays that refer to them. */
    long bytes()
    {
        return bytes;
    }
}
