package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows that enter and leave in one instant, as longs; equal rows have equal longs. Netting cancels rows that enter
 * against equal rows that leave, one for one; among equal rows, the first ones are cancelled.
 *
 * <p>Confined to the engine thread.
 */
public final class NetChanges implements StateHolder
{
    private static final int FEWEST = 16;
    /** Up to this number of rows, comparing all pairs costs less than a hash table. */
    private static final int FEW = 64;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final byte LEAVES = 1;
    private static final byte ENTERS = 2;
    private static final int FOLD = 29;
    /** So many rows of one hash are looked at more closely. */
    private static final int LONG_CHAIN = 16;
    /** So many rows wait for later instants as they came. */
    private static final int FEW_WAITING = 1024;

    /** Rows, one after another; replaced when they grow. */
    public long[] words;
    private final int width;
    /** Whether each row enters or leaves; 0 when it is cancelled. */
    private byte[] kinds = new byte[FEWEST];
    private int size;
    private int leaving;
    /** First row of each chain, and the next one of each row; plus one. */
    private int[] first = new int[FEWEST];
    private int[] next = new int[FEWEST];
    private boolean hashesWhole;
    private final CodeColumns codes;
    private final MemoryAccount memory;
    /** Number of rows that stay after the end of a batch: their codes are retained. */
    private int held;
    private int shrinksAt = FEW_WAITING;

    /**
     * @param width  longs per row
     * @param codes  those longs that are codes
     * @param memory charged for the growth of the rows
     */
    public NetChanges(final int width, final CodeColumns codes, final MemoryAccount memory)
    {
        this.memory = memory;
        this.width = width;
        this.codes = codes;
        words = new long[FEWEST * width];
    }

    public int size()
    {
        return size;
    }

    /**
     * Adds a row, whose longs the caller writes.
     *
     * @param enters whether it enters
     * @return index of its first long
     */
    public int add(final boolean enters)
    {
        if (size == kinds.length)
        {
            memory.charge(rowBytes() * size);
            kinds = Arrays.copyOf(kinds, size * 2);
            words = Arrays.copyOf(words, words.length * 2);
        }
        kinds[size] = enters ? ENTERS : LEAVES;
        leaving += enters ? 0 : 1;
        return size++ * width;
    }

    /**
     * Whether there is capacity for another row.
     *
     * @return false while the instance is short of memory, unless there is a free position
     */
    public boolean hasRoom()
    {
        return size < kinds.length && !codes.isCarrying() || !memory.isShort();
    }

    /** Bytes per row, including its index in chains. */
    private long rowBytes()
    {
        return (long)width * Long.BYTES + Byte.BYTES + 2 * Integer.BYTES;
    }

    /** Cancels equal rows. */
    public void net()
    {
        if (leaving == 0 || leaving == size)
        {
            return;
        }
        if ((long)leaving * (size - leaving) <= FEW)
        {
            for (int i = 0; i < size; i++)
            {
                for (int j = 0; j < size && kinds[i] == LEAVES; j++)
                {
                    cancel(i, j);
                }
            }
            return;
        }
        if (!chain(false))
        {
            chain(true);
        }
        for (int i = 0; i < size; i++)
        {
            for (int j = kinds[i] == LEAVES ? first[slot(i)] - 1 : -1; j >= 0; j = next[j] - 1)
            {
                if (cancel(i, j))
                {
                    break;
                }
            }
        }
    }

    private boolean cancel(final int leaves, final int enters)
    {
        if (kinds[enters] == ENTERS && codes.areEqual(words, leaves * width, enters * width, width))
        {
            kinds[leaves] = 0;
            kinds[enters] = 0;
            return true;
        }
        return false;
    }

    /**
     * Chains of those that enter, by their hashes.
     *
     * @param whole whether strings that are carried are hashed, too
     * @return false when too many have one hash without them
     */
    private boolean chain(final boolean whole)
    {
        hashesWhole = whole;
        int capacity = first.length;
        while (capacity < size * 2)
        {
            capacity *= 2;
        }
        if (capacity > first.length)
        {
            first = new int[capacity];
        }
        Arrays.fill(first, 0);
        if (next.length < size)
        {
            next = new int[kinds.length];
        }
        for (int i = size - 1; i >= 0; i--)
        {
            if (kinds[i] == ENTERS)
            {
                final int slot = slot(i);
                next[i] = first[slot];
                first[slot] = i + 1;
                if (!whole && codes.isCarrying() && isLong(i))
                {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isLong(final int row)
    {
        int length = 1;
        for (int i = next[row] - 1; i >= 0 && length < LONG_CHAIN; i = next[i] - 1)
        {
            length++;
        }
        return length == LONG_CHAIN;
    }

    private int slot(final int row)
    {
        long hash = 1;
        for (int i = 0; i < width; i++)
        {
            hash = (hash ^ codes.hashed(i, words[row * width + i], hashesWhole)) * SPREAD;
            hash ^= hash >>> FOLD;
        }
        return (int)(hash * SPREAD >>> Integer.SIZE) & first.length - 1;
    }

    /**
     * The next row that was not cancelled.
     *
     * @param after  row; -1 for the first one
     * @param enters whether to return rows that enter
     * @return row, -1 if none exists
     */
    public int next(final int after, final boolean enters)
    {
        for (int i = after + 1; i < size; i++)
        {
            if (kinds[i] == (enters ? ENTERS : LEAVES))
            {
                return i;
            }
        }
        return -1;
    }

    /** Called when a batch ends within an instant: codes are retained until the end of the instant. */
    public void endOfBatch()
    {
        for (; !codes.isNone() && held < size; held++)
        {
            codes.hold(words, held * width);
        }
    }

    private void release(final int row)
    {
        codes.release(words, row * width);
    }

    /**
     * Cancels equal rows and removes them from time to time, so that the rows that wait for later instants are at most
     * twice as many as remain after netting.
     */
    public void shrink()
    {
        if (size < shrinksAt)
        {
            return;
        }
        net();
        int kept = 0;
        int keptHeld = 0;
        leaving = 0;
        for (int i = 0; i < size; i++)
        {
            if (kinds[i] == 0)
            {
                if (i < held)
                {
                    release(i);
                }
                continue;
            }
            System.arraycopy(words, i * width, words, kept * width, width);
            kinds[kept] = kinds[i];
            leaving += kinds[i] == LEAVES ? 1 : 0;
            keptHeld += i < held ? 1 : 0;
            kept++;
        }
        size = kept;
        held = keptHeld;
        shrinksAt = Math.max(FEW_WAITING, 2 * size);
    }

    /** Removes all rows. */
    public void clear()
    {
        while (held > 0)
        {
            release(--held);
        }
        size = 0;
        leaving = 0;
        if (kinds.length > FEW_WAITING && memory.isShort())
        {
            memory.release(rowBytes() * (kinds.length - FEWEST));
            kinds = new byte[FEWEST];
            words = new long[FEWEST * width];
            first = new int[FEWEST];
            next = new int[FEWEST];
        }
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(size);
        to.writeCount(leaving);
        to.writeInt(shrinksAt);
        to.writeBytes(kinds, 0, size);
        for (int row = 0; row < size; row++)
        {
            codes.write(to, words, row * width, width);
        }
    }

    @Override
    public void read(final StateInput from)
    {
        size = from.readSize(1);
        leaving = from.readCount();
        shrinksAt = from.readInt();
        int capacity = FEWEST;
        while (capacity < size)
        {
            capacity *= 2;
        }
        StateInput.checked(capacity, Integer.MAX_VALUE / width, "slots");
        memory.charge(rowBytes() * (capacity - FEWEST));
        kinds = new byte[capacity];
        words = new long[capacity * width];
        from.readBytes(kinds, 0, size);
        for (int row = 0; row < size; row++)
        {
            codes.read(from, words, row * width, width);
        }
        held = codes.isNone() ? 0 : size;
    }
}
