package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateException;

/**
 * The rows of a window in the order they came: a queue of rows of some 64-bit words each, in chunks, so that growing
 * copies no rows and what has left is used again.
 *
 * <p>Threads: confined to one thread. Ownership: the arrays are the ring's; a caller uses them until its next call.
 */
public final class RowRing
{
    private static final int CHUNK_ROWS = 1024;
    private static final int SPARES = 16;

    private final int rowWords;
    private final int chunkWords;
    private final int maxRows;
    private final MemoryAccount memory;
    /** A circle of chunks, those in use from {@link #first} on. */
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
     * Makes an empty ring.
     *
     * @param rowWords words of a row
     * @param maxRows  bound
     */
    public RowRing(final int rowWords, final int maxRows)
    {
        this(rowWords, maxRows, MemoryAccount.NONE);
    }

    /**
     * Makes an empty ring.
     *
     * @param rowWords words of a row
     * @param maxRows  bound
     * @param memory   is charged each chunk
     */
    public RowRing(final int rowWords, final int maxRows, final MemoryAccount memory)
    {
        this.memory = memory;
        this.rowWords = rowWords;
        this.maxRows = maxRows;
        chunkWords = rowWords * CHUNK_ROWS;
        tailAt = chunkWords - rowWords;
    }

    /**
     * Number of rows.
     *
     * @return 0 to the bound
     */
    public int size()
    {
        return size;
    }

    /**
     * Whether a row is to be turned away before it has touched any state.
     *
     * @return true when there are as many rows as may be, or the next one needs a chunk while memory is short
     */
    public boolean isFull()
    {
        return size >= maxRows || tailAt + rowWords == chunkWords && spareCount == 0 && memory.isShort();
    }

    /**
     * Adds a row at the end; its words are those of {@link #tail()} from {@link #tailAt()} on, to be written by the
     * caller.
     *
     * @return false when there are as many rows as may be
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

    /** Begins a chunk, of which the next row is the first. */
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

    /** Takes the oldest row away; there is one. */
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
     * A copy of all rows.
     *
     * @return their words, one row after the other
     * @throws StateException when there are more than an array takes
     */
    long[] rows()
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

    /** Words of a row. */
    int rowWords()
    {
        return rowWords;
    }

    /**
     * Adds a row at the end.
     *
     * @param from  has its words
     * @param place of the first of them
     * @throws StateException when there is no room
     */
    void add(final long[] from, final int place)
    {
        if (isFull() || !add())
        {
            throw new StateException("there is no room for the rows of a window, rows=" + size);
        }
        System.arraycopy(from, place, tail, tailAt, rowWords);
    }

    /**
     * How many rows can be taken away by hand, so that the next oldest stays in {@link #head()}: a caller goes on in
     * the array by itself and says so once, to {@link #moved}.
     *
     * @return rows; -1 when there are none at all
     */
    public int removable()
    {
        return size == 0 ? -1 : Math.min(size, (chunkWords - headAt) / rowWords) - 1;
    }

    /**
     * How many rows can be added by hand behind the youngest, in {@link #tail()}.
     *
     * @return rows
     */
    public int addable()
    {
        return Math.min(maxRows - size, (chunkWords - tailAt) / rowWords - 1);
    }

    /**
     * Rows were added or taken away by hand.
     *
     * @param newHeadAt where the oldest row begins now
     * @param newTailAt where the youngest row begins now
     */
    public void moved(final int newHeadAt, final int newTailAt)
    {
        size += (newTailAt - tailAt - newHeadAt + headAt) / rowWords;
        headAt = newHeadAt;
        tailAt = newTailAt;
    }

    /**
     * The array of the oldest row.
     *
     * @return words, from {@link #headAt()} on; undefined when empty
     */
    public long[] head()
    {
        return head;
    }

    /**
     * Where the oldest row begins.
     *
     * @return place of its first word
     */
    public int headAt()
    {
        return headAt;
    }

    /**
     * The array of the youngest row.
     *
     * @return words, from {@link #tailAt()} on; undefined when empty
     */
    public long[] tail()
    {
        return tail;
    }

    /**
     * Where the youngest row begins.
     *
     * @return place of its first word
     */
    public int tailAt()
    {
        return tailAt;
    }
}
