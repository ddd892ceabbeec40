package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * The last rows of a partition, numbered in order of arrival: numbers of the row and of what was computed for it, its
 * time and its arrival. A short ring while there are few; from {@value #CHUNK_ROWS} rows on a circle of chunks, so that
 * growing copies no rows. What has left gives its chunk back, one is kept for the next.
 *
 * <p>Threads: the engine's. Ownership: claims of rows are the caller's business.
 */
final class PartitionRows
{
    private static final int FIRST_ROWS = 4;
    private static final int CHUNK_BITS = 10;
    private static final int CHUNK_ROWS = 1 << CHUNK_BITS;
    /** Row and argument row in one, time, arrival. */
    private static final int WORDS = 3;

    /** One chunk, used as a ring, or a circle of chunks by the upper bits of a row's number. */
    private long[][] chunks = {new long[FIRST_ROWS * WORDS]};
    private long[] spare;
    private int rowMask = FIRST_ROWS - 1;
    private long base;
    private long next;

    /** Forgets all rows; numbers go on, so that nobody takes an old row for a new one. */
    void reset()
    {
        base = next;
        if (chunks.length > 1)
        {
            final long[] last = chunk(next);
            chunks = new long[][] {last == null ? new long[CHUNK_ROWS * WORDS] : last};
            spare = null;
        }
    }

    long append(final int row, final int argumentRow, final long timeNs, final long arrival)
    {
        makeRoom();
        final long[] chunk = chunk(next);
        final int at = at(next);
        chunk[at] = (long)argumentRow << Integer.SIZE | row & 0xFFFF_FFFFL;
        chunk[at + 1] = timeNs;
        chunk[at + 2] = arrival;
        return next++;
    }

    private void makeRoom()
    {
        if (chunks.length == 1)
        {
            if (next - base > rowMask)
            {
                grow();
            }
        }
        else if (chunk(next) == null || isCircleFull())
        {
            addChunk();
        }
    }

    private boolean isCircleFull()
    {
        return (next >>> CHUNK_BITS) - (base >>> CHUNK_BITS) >= chunks.length;
    }

    private void grow()
    {
        if (rowMask + 1 == CHUNK_ROWS)
        {
            cut();
            return;
        }
        final long[] ring = chunks[0];
        final long[] longer = new long[ring.length * 2];
        final int mask = rowMask * 2 + 1;
        for (long i = base; i < next; i++)
        {
            System.arraycopy(ring, at(i), longer, ((int)i & mask) * WORDS, WORDS);
        }
        chunks[0] = longer;
        rowMask = mask;
    }

    /** Makes chunks of a ring that is full: the rows that were written over its beginning move, the others stay. */
    private void cut()
    {
        final long[] ring = chunks[0];
        chunks = new long[4][];
        chunks[index(base)] = ring;
        final int moved = at(next);
        if (moved > 0)
        {
            final long[] chunk = new long[CHUNK_ROWS * WORDS];
            System.arraycopy(ring, 0, chunk, 0, moved);
            chunks[index(next)] = chunk;
        }
        makeRoom();
    }

    private void addChunk()
    {
        if (isCircleFull())
        {
            final long[][] more = new long[chunks.length * 2][];
            for (long i = base >>> CHUNK_BITS; i < next >>> CHUNK_BITS; i++)
            {
                more[(int)i & more.length - 1] = chunks[(int)i & chunks.length - 1];
            }
            chunks = more;
        }
        chunks[index(next)] = spare == null ? new long[CHUNK_ROWS * WORDS] : spare;
        spare = null;
    }

    private int index(final long sequence)
    {
        return (int)(sequence >>> CHUNK_BITS) & chunks.length - 1;
    }

    private long[] chunk(final long sequence)
    {
        return chunks[index(sequence)];
    }

    private int at(final long sequence)
    {
        return ((int)sequence & rowMask) * WORDS;
    }

    /** Forgets the youngest row. */
    void dropLast()
    {
        next--;
    }

    /** Forgets the oldest row. */
    void dropFirst()
    {
        base++;
        if (chunks.length > 1 && (base & CHUNK_ROWS - 1) == 0)
        {
            final int left = index(base - 1);
            spare = chunks[left];
            chunks[left] = null;
        }
    }

    /** Number of the oldest row. */
    long base()
    {
        return base;
    }

    /** Number of the next row. */
    long next()
    {
        return next;
    }

    boolean holds(final long sequence)
    {
        return sequence >= base && sequence < next;
    }

    int row(final long sequence)
    {
        return (int)chunk(sequence)[at(sequence)];
    }

    int argumentRow(final long sequence)
    {
        return (int)(chunk(sequence)[at(sequence)] >>> Integer.SIZE);
    }

    long timeNs(final long sequence)
    {
        return chunk(sequence)[at(sequence) + 1];
    }

    long arrival(final long sequence)
    {
        return chunk(sequence)[at(sequence) + 2];
    }

    /** Rows that there is room for now. */
    int capacity()
    {
        return (int)Math.min(Integer.MAX_VALUE, Arrays.stream(chunks).filter(chunk -> chunk != null).count() *
            (rowMask + 1));
    }

    @Override
    public String toString()
    {
        return base + ".." + next;
    }
}
