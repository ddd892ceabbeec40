package dev.millrace.cql.runtime.table;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateException;

/**
 * The rows of a window in order of arrival: a queue of rows of some 64-bit words each, in chunks, so that growth copies
 * no rows and the memory of removed rows is reused.
 *
 * <p>Confined to one thread. Ownership: the ring owns the arrays; a caller may use them until its next call.
 */
public final class RowRing
{
    private static final int CHUNK_ROWS = 1024;
    private static final int SPARES = 16;

    private final int rowWords;
    private final int chunkWords;
    private final int maxRows;
    private final MemoryAccount memory;
    /** A circular list of chunks; those in use begin at {@link #first}. */
    private long[][] chunks = new long[4][];
    private int first;
    private int count;
    private final long[][] spares = new long[SPARES][];
    private int spareCount;
    private int size;
    private long[] head;
    private int headAt;
    private long[] tail;
    private int tailAt;

    /**
     * @param maxRows maximum number of rows
     */
    public RowRing(final int rowWords, final int maxRows)
    {
        this(rowWords, maxRows, MemoryAccount.NONE);
    }

    /**
     * @param maxRows maximum number of rows
     * @param memory  charged for each chunk
     */
    public RowRing(final int rowWords, final int maxRows, final MemoryAccount memory)
    {
        this.memory = memory;
        this.rowWords = rowWords;
        this.maxRows = maxRows;
        chunkWords = rowWords * CHUNK_ROWS;
        tailAt = chunkWords - rowWords;
    }

    public int size()
    {
        return size;
    }

    /**
     * Whether the next row must be rejected before it changes any state.
     *
     * @return true when the maximum number of rows is reached, or the next row needs a chunk while memory is short
     */
    public boolean isFull()
    {
        return size >= maxRows || tailAt + rowWords == chunkWords && spareCount == 0 && memory.isShort();
    }

    /**
     * Adds a row at the end; the caller writes its words into {@link #tail()} from {@link #tailAt()} on.
     *
     * @return false when the maximum number of rows is reached
     */
    public boolean add()
    {
        if (size >= maxRows)
        {
            return false;
        }
        if (tailAt + rowWords == chunkWords)
        {
            addChunk();
        }
        tailAt += rowWords;
        if (size == 0)
        {
            head = tail;
            headAt = tailAt;
        }
        size++;
        return true;
    }

    /** Starts a chunk; the next row is its first one. */
    private void addChunk()
    {
        if (spareCount == 0)
        {
            memory.charge((long)chunkWords * Long.BYTES);
        }
        if (count == chunks.length)
        {
            final long[][] more = new long[count * 2][];
            for (int i = 0; i < count; i++)
            {
                more[i] = chunks[first + i & count - 1];
            }
            chunks = more;
            first = 0;
        }
        tail = spareCount > 0 ? spares[--spareCount] : new long[chunkWords];
        tailAt = -rowWords;
        chunks[first + count & chunks.length - 1] = tail;
        count++;
    }

    /** Removes the oldest row; there must be one. */
    public void remove()
    {
        size--;
        headAt += rowWords;
        if (headAt == chunkWords)
        {
            removeChunk();
        }
    }

    private void removeChunk()
    {
        if (spareCount < SPARES)
        {
            spares[spareCount++] = head;
        }
        else
        {
            memory.release((long)chunkWords * Long.BYTES);
        }
        chunks[first] = null;
        first = first + 1 & chunks.length - 1;
        count--;
        if (count == 0)
        {
            tail = null;
            tailAt = chunkWords - rowWords;
        }
        head = chunks[first];
        headAt = 0;
    }

    /**
     * A copy of all rows, one after another.
     *
     * @throws StateException when they exceed the length of an array
     */
    public long[] rows()
    {
        if ((long)size * rowWords > Integer.MAX_VALUE - 8)
        {
            throw new StateException("a window has more rows than can be written at once, rows=" + size);
        }
        final long[] rows = new long[size * rowWords];
        int at = 0;
        for (int i = 0; i < count && at < rows.length; i++)
        {
            final long[] chunk = chunks[first + i & chunks.length - 1];
            final int from = chunk == head ? headAt : 0;
            final int length = Math.min(chunkWords - from, rows.length - at);
            System.arraycopy(chunk, from, rows, at, length);
            at += length;
        }
        return rows;
    }

    /** Words per row. */
    public int rowWords()
    {
        return rowWords;
    }

    /**
     * Adds a row at the end.
     *
     * @param from   contains its words
     * @param offset index of the first word
     * @throws StateException when the capacity is exceeded
     */
    public void add(final long[] from, final int offset)
    {
        if (isFull() || !add())
        {
            throw new StateException("too many rows for a window, rows=" + size);
        }
        System.arraycopy(from, offset, tail, tailAt, rowWords);
    }

    /**
     * Number of rows that the caller can remove directly, so that the next oldest row is still in {@link #head()}: the
     * caller advances in the array and reports it once, with {@link #moved}.
     *
     * @return rows; -1 when the ring is empty
     */
    public int removable()
    {
        return size == 0 ? -1 : Math.min(size, (chunkWords - headAt) / rowWords) - 1;
    }

    /** Number of rows that the caller can write directly after the youngest one, in {@link #tail()}. */
    public int addable()
    {
        return Math.min(maxRows - size, (chunkWords - tailAt) / rowWords - 1);
    }

    /**
     * Records that the caller has added or removed rows directly.
     *
     * @param newHeadAt index of the oldest row
     * @param newTailAt index of the youngest row
     */
    public void moved(final int newHeadAt, final int newTailAt)
    {
        size += (newTailAt - tailAt - newHeadAt + headAt) / rowWords;
        headAt = newHeadAt;
        tailAt = newTailAt;
    }

    /** The array of the oldest row; its words begin at {@link #headAt()}; undefined when empty. */
    public long[] head()
    {
        return head;
    }

    /** Index of the oldest row's first word. */
    public int headAt()
    {
        return headAt;
    }

    /** The array of the youngest row; its words begin at {@link #tailAt()}; undefined when empty. */
    public long[] tail()
    {
        return tail;
    }

    /** Index of the youngest row's first word. */
    public int tailAt()
    {
        return tailAt;
    }
}
