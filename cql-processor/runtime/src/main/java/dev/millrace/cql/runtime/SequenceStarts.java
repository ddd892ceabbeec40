package dev.millrace.cql.runtime;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows that wait, by partition, for a later row whose value reaches their key. Within a partition they are stored in
 * order of arrival, so that results need no sorting and expired rows are at the front. One comparison with the smallest
 * key of the partition shows that a row reaches nothing; long lists also have a smallest key for each 8 and each 64
 * rows, and single rows are checked only where such a key is reached.
 *
 * <pre>
 *   block: smallest key, positions ┊ (smallest keys of 64 rows ┊ of 8 rows) ┊ keys ┊ time and values of each row
 * </pre>
 *
 * <p>Confined to one thread. Ownership: blocks and results are lent to the caller until its next call. Failure: a
 * partition with the maximum number of waiting rows accepts no more, see {@link #add}. Growth copies the rows of one
 * partition.
 */
public final class SequenceStarts
{
    /** A key that no value reaches. */
    private static final long NONE = Long.MAX_VALUE;
    /** Time of a row that no longer waits; its key is {@link #NONE}. */
    private static final long GONE = Long.MIN_VALUE;

    private static final int LEAST = 0;
    private static final int HEAD = 1;
    private static final int END = 2;
    private static final int LIMIT = 3;
    private static final int KEYS = 4;
    private static final int ROWS = 5;
    private static final int DEAD = 6;
    private static final int HEADER = 7;

    private static final int FIRST_CAPACITY = 4;
    private static final int SHORT = 64;
    /** Maximum words of blocks that are kept for reuse. */
    private static final int MAX_SPARE_WORDS = 1 << 18;
    private static final int SPARES = 256;
    private static final int SEGMENT_BITS = 10;
    private static final int SEGMENT = 1 << SEGMENT_BITS;
    private static final long SEGMENT_BYTES = 4L << SEGMENT_BITS;
    private static final long[] EMPTY = empty();

    private final int rowWords;
    private final int maxRows;
    private final boolean once;
    private final MemoryAccount memory;
    /** Whether words of a row are string codes. */
    private final boolean[] stringWords;
    private final StringTable strings;
    private long[][][] segments = new long[0][][];
    private long[] current = EMPTY;
    private long[] found;
    private int foundCount;
    private long size;
    /** Blocks that partitions have outgrown, by the logarithm of their capacity. */
    private final long[][][] spares = new long[Integer.SIZE][][];
    private final int[] spareCounts = new int[Integer.SIZE];
    private int spareWords;

    /**
     * @param rowWords words stored per row; the first one is its time
     * @param maxRows  maximum number of waiting rows per partition
     * @param once     whether a row stops waiting once it is found
     */
    public SequenceStarts(final int rowWords, final int maxRows, final boolean once)
    {
        this(rowWords, maxRows, once, MemoryAccount.NONE, null);
    }

    /**
     * @param rowWords    words stored per row; the first one is its time
     * @param maxRows     maximum number of waiting rows per partition
     * @param once        whether a row stops waiting once it is found
     * @param memory      charged for each block; while it is short, blocks do not grow
     * @param stringWords words that are string codes: the caller retains them when it writes them, and a row that
     *                    stops waiting releases them
     */
    public SequenceStarts(final int rowWords, final int maxRows, final boolean once, final MemoryAccount memory,
        final StringTable strings, final int... stringWords)
    {
        this.strings = strings;
        this.memory = memory;
        this.stringWords = new boolean[stringWords.length == 0 ? 0 : rowWords];
        for (final int word : stringWords)
        {
            this.stringWords[word] = true;
        }
        this.rowWords = rowWords;
        this.maxRows = maxRows;
        this.once = once;
        found = new long[FIRST_CAPACITY * rowWords];
    }

    private static long[] empty()
    {
        final long[] block = new long[HEADER];
        block[LEAST] = NONE;
        block[KEYS] = HEADER;
        block[ROWS] = HEADER;
        return block;
    }

    /** A number as a key: keys have the order of the numbers, and both zeros have the same key. Not for NaN. */
    public static long key(final double number)
    {
        final long bits = Double.doubleToRawLongBits(number + 0.0);
        return bits ^ bits >> Long.SIZE - 1 & Long.MAX_VALUE;
    }

    /**
     * Ensures capacity for partitions.
     *
     * @param partitions all partitions are below this number
     */
    public void reserve(final int partitions)
    {
        final int before = segments.length;
        final int needed = (partitions + SEGMENT - 1) >> SEGMENT_BITS;
        if (needed > before)
        {
            memory.charge((needed - before) * SEGMENT_BYTES);
            segments = Arrays.copyOf(segments, needed);
            for (int i = before; i < needed; i++)
            {
                segments[i] = new long[SEGMENT][];
                Arrays.fill(segments[i], EMPTY);
            }
        }
    }

    /** Number of waiting rows, including expired rows that were not yet visited. */
    public long size()
    {
        return size;
    }

    /**
     * Whether a row waits in a partition; an expired row that was not yet visited counts.
     *
     * @return false also where no capacity was reserved
     */
    public boolean isWaiting(final int partition)
    {
        if (partition >> SEGMENT_BITS >= segments.length)
        {
            return false;
        }
        final long[] block = block(partition);
        return block[END] - block[HEAD] - block[DEAD] > 0;
    }

    /**
     * The block of a partition. No key is below its first word.
     *
     * @param partition within the reserved capacity
     */
    public long[] block(final int partition)
    {
        return segments[partition >> SEGMENT_BITS][partition & SEGMENT - 1];
    }

    /**
     * Finds rows in order of arrival; {@link #found()} returns them.
     *
     * @param block   of the partition
     * @param reached greatest key that is found
     * @param afterNs rows up to this time have expired and stop waiting
     * @return number of rows found
     */
    public int take(final long[] block, final long reached, final long afterNs)
    {
        foundCount = 0;
        if (block[KEYS] != HEADER)
        {
            takeFromLong(block, reached, afterNs);
            return foundCount;
        }
        final int end = (int)block[END];
        final int rows = (int)block[ROWS];
        int head = (int)block[HEAD];
        while (head < end && block[rows + head * rowWords] <= afterNs)
        {
            release(block, rows + head * rowWords);
            head++;
            size--;
        }
        block[HEAD] = head;
        long least = NONE;
        int from = head;
        for (; from < end && block[HEADER + from] > reached; from++)
        {
            least = Math.min(least, block[HEADER + from]);
        }
        if (once)
        {
            takeOut(block, from, least, reached);
        }
        else
        {
            look(block, from, least, reached);
        }
        return foundCount;
    }

    private void takeOut(final long[] block, final int from, final long leastBefore, final long reached)
    {
        final int end = (int)block[END];
        final int rows = (int)block[ROWS];
        final int words = rowWords;
        long least = leastBefore;
        int to = from;
        for (int i = from; i < end; i++)
        {
            final long key = block[HEADER + i];
            final int at = rows + i * words;
            if (key <= reached)
            {
                find(block, at);
                release(block, at);
                continue;
            }
            least = Math.min(least, key);
            block[HEADER + to] = key;
            int next = rows + to * words;
            for (int word = at; word < at + words; word++)
            {
                block[next++] = block[word];
            }
            to++;
        }
        block[LEAST] = least;
        block[END] = to;
        size -= end - to;
    }

    private void look(final long[] block, final int from, final long leastBefore, final long reached)
    {
        final int end = (int)block[END];
        final int rows = (int)block[ROWS];
        long least = leastBefore;
        for (int i = from; i < end; i++)
        {
            final long key = block[HEADER + i];
            least = Math.min(least, key);
            if (key <= reached)
            {
                find(block, rows + i * rowWords);
            }
        }
        block[LEAST] = least;
    }

    private void release(final long[] block, final int at)
    {
        for (int word = 0; word < stringWords.length; word++)
        {
            if (stringWords[word])
            {
                strings.release((int)block[at + word]);
            }
        }
    }

    private void find(final long[] block, final int at)
    {
        final int to = foundCount * rowWords;
        if (to == found.length)
        {
            found = Arrays.copyOf(found, to * 2);
        }
        for (int word = 0; word < rowWords; word++)
        {
            found[to + word] = block[at + word];
        }
        foundCount++;
    }

    private void takeFromLong(final long[] block, final long reached, final long afterNs)
    {
        final int end = (int)block[END];
        final int firstOf8 = (int)block[KEYS] - (capacity(block) >> 3);
        long least = NONE;
        for (int of64 = 0; of64 << 6 < end; of64++)
        {
            long least64 = block[HEADER + of64];
            if (least64 <= reached)
            {
                least64 = NONE;
                for (int of8 = of64 << 3; of8 < of64 + 1 << 3 && of8 << 3 < end; of8++)
                {
                    if (block[firstOf8 + of8] <= reached)
                    {
                        block[firstOf8 + of8] = takeFrom8(block, of8 << 3, reached, afterNs);
                    }
                    least64 = Math.min(least64, block[firstOf8 + of8]);
                }
                block[HEADER + of64] = least64;
            }
            least = Math.min(least, least64);
        }
        block[LEAST] = least;
    }

    /** Returns the smallest remaining key of eight rows. */
    private long takeFrom8(final long[] block, final int first, final long reached, final long afterNs)
    {
        final int end = Math.min((int)block[END], first + 8);
        final int keys = (int)block[KEYS];
        long least = NONE;
        for (int i = first; i < end; i++)
        {
            final long key = block[keys + i];
            final int at = (int)block[ROWS] + i * rowWords;
            if (key <= reached && block[at] > GONE)
            {
                final boolean waits = block[at] > afterNs;
                if (waits)
                {
                    find(block, at);
                }
                if (!waits || once)
                {
                    release(block, at);
                    block[keys + i] = NONE;
                    block[at] = GONE;
                    block[DEAD]++;
                    size--;
                    continue;
                }
            }
            least = Math.min(least, block[keys + i]);
        }
        return least;
    }

    /** Result of the last call of {@link #take}: words of the rows, one row after another. */
    public long[] found()
    {
        return found;
    }

    /**
     * Removes all waiting rows of a partition.
     *
     * @param partition within the reserved capacity
     */
    public void clear(final int partition)
    {
        final long[] block = block(partition);
        if (block.length == HEADER)
        {
            return;
        }
        for (int row = (int)block[HEAD]; stringWords.length > 0 && row < block[END]; row++)
        {
            final int at = (int)block[ROWS] + row * rowWords;
            if (block[at] != GONE)
            {
                release(block, at);
            }
        }
        size -= block[END] - block[HEAD] - block[DEAD];
        block[LEAST] = NONE;
        block[HEAD] = 0;
        block[END] = 0;
        block[DEAD] = 0;
        block[LIMIT] = Math.min(capacity(block), maxRows);
        Arrays.fill(block, HEADER, (int)block[KEYS], NONE);
    }

    /**
     * Adds a waiting row. The caller writes its words, except the first, into {@link #current()}.
     *
     * @param partition within the reserved capacity
     * @param timeNs    its time, not earlier than that of previous rows
     * @param afterNs   rows up to this time have expired and stop waiting
     * @return index of its first word; -1 when the partition has the maximum number of waiting rows
     */
    public int add(final int partition, final long key, final long timeNs, final long afterNs)
    {
        long[] block = block(partition);
        if (block[END] == block[LIMIT])
        {
            block = room(partition, block, afterNs);
            if (block == null)
            {
                return -1;
            }
        }
        final int end = (int)block[END];
        final int at = (int)block[ROWS] + end * rowWords;
        block[(int)block[KEYS] + end] = key;
        block[at] = timeNs;
        block[END] = end + 1;
        if (key < block[LEAST])
        {
            block[LEAST] = key;
        }
        if (block[KEYS] != HEADER)
        {
            lower(block, end, key);
        }
        current = block;
        size++;
        return at;
    }

    private static void lower(final long[] block, final int row, final long key)
    {
        final int of64 = HEADER + (row >> 6);
        block[of64] = Math.min(block[of64], key);
        final int of8 = (int)block[KEYS] - (capacity(block) >> 3) + (row >> 3);
        block[of8] = Math.min(block[of8], key);
    }

    /**
     * Writes the waiting rows of a partition.
     *
     * @param partition within the reserved capacity
     */
    public void write(final int partition, final StateOutput to)
    {
        final long[] block = block(partition);
        to.writeCount((int)(block[END] - block[HEAD] - block[DEAD]));
        for (int row = (int)block[HEAD]; row < block[END]; row++)
        {
            final int at = (int)block[ROWS] + row * rowWords;
            if (block[at] != GONE)
            {
                to.writeLong(block[(int)block[KEYS] + row]);
                for (int word = 0; word < rowWords; word++)
                {
                    if (word < stringWords.length && stringWords[word])
                    {
                        to.writeString(strings.string((int)block[at + word]));
                    }
                    else
                    {
                        to.writeLong(block[at + word]);
                    }
                }
            }
        }
    }

    /**
     * Restores the waiting rows of a partition that has none.
     *
     * @param partition within the reserved capacity
     * @param from      written by {@link #write}
     * @throws StateException when the capacity is exceeded
     */
    public void read(final int partition, final StateInput from)
    {
        for (int count = from.readSize(Long.BYTES); count > 0; count--)
        {
            final long key = from.readLong();
            final long timeNs = from.readLong();
            final int at = add(partition, key, timeNs, Long.MIN_VALUE);
            if (at < 0)
            {
                throw new StateException("too many waiting rows, maxRows=" + maxRows);
            }
            for (int word = 1; word < rowWords; word++)
            {
                current[at + word] =
                    word < stringWords.length && stringWords[word] ? Pipeline.readHeld(strings, from) : from.readLong();
            }
        }
    }

    /** Block of the last row that was added. */
    public long[] current()
    {
        return current;
    }

    private static int capacity(final long[] block)
    {
        return (int)(block[ROWS] - block[KEYS]);
    }

    /**
     * The block with capacity for at least one more row; {@code null} when the maximum is reached or memory is short.
     */
    private long[] room(final int partition, final long[] block, final long afterNs)
    {
        final int end = (int)block[END];
        int head = (int)block[HEAD];
        while (head < end && block[(int)block[ROWS] + head * rowWords] <= afterNs)
        {
            if (block[(int)block[ROWS] + head * rowWords] == GONE)
            {
                block[DEAD]--;
            }
            else
            {
                release(block, (int)block[ROWS] + head * rowWords);
                size--;
            }
            head++;
        }
        block[HEAD] = head;
        final int live = end - head - (int)block[DEAD];
        if (live >= maxRows)
        {
            return null;
        }
        final int capacity = capacity(block);
        if (end < capacity)
        {
            block[LIMIT] = Math.min(capacity, end + maxRows - live);
            return block;
        }
        int length = Math.max(FIRST_CAPACITY, capacity);
        if (live > capacity - (capacity >> 2))
        {
            if (memory.isShort())
            {
                return null;
            }
            length = capacity * 2;
        }
        else if (live < capacity >> 4)
        {
            length = Math.max(Math.min(capacity, SHORT), Integer.highestOneBit(live + 1) << 2);
        }
        final long[] moved = moved(block, length);
        if (moved != block)
        {
            segments[partition >> SEGMENT_BITS][partition & SEGMENT - 1] = moved;
            spare(block, capacity);
        }
        return moved;
    }

    private void spare(final long[] block, final int capacity)
    {
        final int kind = Integer.numberOfTrailingZeros(capacity) & Integer.SIZE - 1;
        if (capacity > 0 && spareWords + block.length <= MAX_SPARE_WORDS && spareCounts[kind] < SPARES)
        {
            if (spares[kind] == null)
            {
                spares[kind] = new long[SPARES][];
            }
            spares[kind][spareCounts[kind]++] = block;
            spareWords += block.length;
        }
        else if (capacity > 0)
        {
            memory.release((long)block.length * Long.BYTES);
        }
    }

    /** Compacts the waiting rows into a block, which may be the same. */
    private long[] moved(final long[] block, final int length)
    {
        final long[] to = length == capacity(block) ? block : newBlock(length);
        final int words = rowWords;
        final int end = (int)block[END];
        final int keys = (int)block[KEYS];
        final int rows = (int)block[ROWS];
        int next = 0;
        for (int i = (int)block[HEAD]; i < end; i++)
        {
            if (block[rows + i * words] != GONE)
            {
                to[(int)to[KEYS] + next] = block[keys + i];
                System.arraycopy(block, rows + i * words, to, (int)to[ROWS] + next * words, words);
                next++;
            }
        }
        Arrays.fill(to, HEADER, (int)to[KEYS], NONE);
        long least = NONE;
        for (int i = 0; i < next; i++)
        {
            final long key = to[(int)to[KEYS] + i];
            least = Math.min(least, key);
            if (to[KEYS] != HEADER)
            {
                lower(to, i, key);
            }
        }
        to[LEAST] = least;
        to[HEAD] = 0;
        to[END] = next;
        to[DEAD] = 0;
        to[LIMIT] = Math.min(length, maxRows);
        return to;
    }

    private long[] newBlock(final int length)
    {
        final int kind = Integer.numberOfTrailingZeros(length);
        if (spareCounts[kind] > 0)
        {
            final long[] spare = spares[kind][--spareCounts[kind]];
            spares[kind][spareCounts[kind]] = null;
            spareWords -= spare.length;
            return spare;
        }
        final int leasts = length > SHORT ? (length >> 6) + (length >> 3) : 0;
        final long[] block = new long[HEADER + leasts + length * (1 + rowWords)];
        memory.charge((long)block.length * Long.BYTES);
        block[KEYS] = HEADER + leasts;
        block[ROWS] = HEADER + leasts + length;
        return block;
    }
}
