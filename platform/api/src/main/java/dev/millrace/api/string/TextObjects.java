package dev.millrace.api.string;

import java.util.Arrays;

/**
 * Texts of a table that are kept as the objects that they came as, without being looked up: each has a negative code of
 * its own, also where others are equal. A text whose code is held by nobody goes at the end of the batch.
 *
 * <p>Threads: confined to one thread. Codes that were given back are used again; memory for them is kept.
 */
final class TextObjects
{
    /** An object, its array and references to both, without the characters. */
    private static final int OBJECT_BYTES = 48;
    private static final int CHUNK_BITS = 12;
    private static final int CHUNK_SIZE = 1 << CHUNK_BITS;
    private static final int FEWEST = 16;
    /** The first index: that of {@link StringTable#FULL} is none. */
    private static final int FIRST = 2;
    private static final long HOLDER = 1L << Integer.SIZE;
    private static final long WAITS = 1L << Integer.SIZE - 1;
    /** Of a code that is not in use: above it the next one. */
    private static final long FREE = Long.MIN_VALUE;

    private final int mostResting;
    private String[][] texts = {new String[0]};
    /** Of each text: how many hold it, whether it waits, and the bytes that it takes. */
    private long[][] words = {new long[0]};
    private int limit = FIRST;
    private int free;
    private long bytes;
    private final IntQueue fresh = new IntQueue();
    private final IntQueue leaving = new IntQueue();
    private final IntQueue resting = new IntQueue();

    /**
     * Makes an empty one.
     *
     * @param mostResting how many codes that were given back are not used again yet
     */
    TextObjects(final int mostResting)
    {
        this.mostResting = mostResting;
    }

    /** A new code of a text of a length in characters, which nobody holds yet. */
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
        texts[index >> CHUNK_BITS][index & CHUNK_SIZE - 1] = text;
        bytes += taken;
        fresh.add(index);
        return -index;
    }

    /** The first chunk grows, so that a small table is small. */
    private void reserve(final int index)
    {
        final int chunk = index >> CHUNK_BITS;
        if (chunk == texts.length)
        {
            texts = Arrays.copyOf(texts, chunk * 2);
            words = Arrays.copyOf(words, chunk * 2);
        }
        final int length = chunk > 0 ? CHUNK_SIZE : Math.max(FEWEST, Integer.highestOneBit(index) * 2);
        final int before = texts[chunk] == null ? 0 : texts[chunk].length;
        if ((index & CHUNK_SIZE - 1) >= before)
        {
            bytes += (long)(length - before) * (Integer.BYTES + Long.BYTES);
            texts[chunk] = before == 0 ? new String[length] : Arrays.copyOf(texts[chunk], length);
            words[chunk] = before == 0 ? new long[length] : Arrays.copyOf(words[chunk], length);
        }
    }

    /** The text of a code. */
    String text(final int code)
    {
        final String text = texts[-code >> CHUNK_BITS][-code & CHUNK_SIZE - 1];
        if (text == null)
        {
            throw new IllegalStateException("code is not in use, please report this: code=" + code);
        }
        return text;
    }

    void hold(final int code)
    {
        final long[] chunk = words[-code >> CHUNK_BITS];
        final int place = -code & CHUNK_SIZE - 1;
        if (chunk[place] < 0)
        {
            throw new IllegalStateException("code is not in use, please report this: code=" + code);
        }
        chunk[place] += HOLDER;
    }

    void release(final int code)
    {
        final long[] chunk = words[-code >> CHUNK_BITS];
        final int place = -code & CHUNK_SIZE - 1;
        if (chunk[place] < HOLDER)
        {
            throw new IllegalStateException("nobody holds this code, please report this: code=" + code);
        }
        chunk[place] -= HOLDER;
        await(chunk, place, -code);
    }

    private void await(final long[] chunk, final int place, final int index)
    {
        if (chunk[place] < HOLDER && (chunk[place] & WAITS) == 0)
        {
            chunk[place] |= WAITS;
            leaving.add(index);
        }
    }

    /** Texts that nobody holds go. */
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
            final int place = index & CHUNK_SIZE - 1;
            chunk[place] &= ~WAITS;
            if (chunk[place] < HOLDER)
            {
                bytes -= chunk[place];
                texts[index >> CHUNK_BITS][place] = null;
                chunk[place] = FREE;
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

    /** Bytes of all texts and of what keeps them. */
    long bytes()
    {
        return bytes;
    }
}
