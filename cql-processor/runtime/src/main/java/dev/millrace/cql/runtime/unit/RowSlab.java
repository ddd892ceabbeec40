package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows as longs that do not move while they exist, and lists of rows in order of arrival. The owner of a list stores
 * its first and last row.
 *
 * <p>Confined to the engine thread.
 */
public final class RowSlab implements StateHolder
{
    /** No row: the end of a list, or no capacity for another row. */
    public static final int NONE = -1;

    private static final int FEWEST = 64;

    /** Longs of all rows, one row after another; replaced when they grow. */
    public long[] words;
    /** Longs per row. */
    public final int width;
    private final CodeColumns codes;
    private final int maxRows;
    private final MemoryAccount memory;
    /** Next row in the list; for a free index, the next free one. */
    private int[] next = new int[FEWEST];
    private int[] previous = new int[FEWEST];
    private int free = NONE;
    private int used;
    private int size;

    /**
     * @param width   longs per row
     * @param codes   those longs that are codes
     * @param maxRows maximum number of rows
     * @param memory  checked before it grows
     */
    public RowSlab(final int width, final CodeColumns codes, final int maxRows, final MemoryAccount memory)
    {
        this.codes = codes;
        this.width = width;
        this.maxRows = maxRows;
        this.memory = memory;
        words = new long[FEWEST * width];
    }

    public int size()
    {
        return size;
    }

    /** Upper bound, exclusive, of all row indexes. */
    public int capacity()
    {
        return next.length;
    }

    /**
     * Allocates a row, whose longs the caller writes.
     *
     * @return row, or {@link #NONE} when the maximum is reached
     */
    public int take()
    {
        if (size >= maxRows || free == NONE && used == next.length && !grow())
        {
            return NONE;
        }
        size++;
        if (free == NONE)
        {
            return used++;
        }
        final int row = free;
        free = next[row];
        return row;
    }

    private boolean grow()
    {
        final long bytes = (long)next.length * (width * Long.BYTES + 2 * Integer.BYTES);
        if ((long)words.length * 2 > Integer.MAX_VALUE || !memory.reserve(2 * bytes))
        {
            return false;
        }
        words = Arrays.copyOf(words, words.length * 2);
        previous = Arrays.copyOf(previous, next.length * 2);
        next = Arrays.copyOf(next, next.length * 2);
        memory.release(used == FEWEST ? 0 : bytes);
        return true;
    }

    /**
     * Retains or releases the codes of a row.
     *
     * @param row   whose longs are written
     * @param holds whether to retain them
     */
    public void hold(final int row, final boolean holds)
    {
        if (holds)
        {
            codes.hold(words, row * width);
        }
        else
        {
            codes.release(words, row * width);
        }
    }

    /**
     * Frees a row that is in no list and retains no codes.
     *
     * @param row from {@link #take}
     */
    public void free(final int row)
    {
        next[row] = free;
        free = row;
        size--;
    }

    /**
     * Appends a row to a list.
     *
     * @param row  in no list
     * @param last of the list, or {@link #NONE}
     */
    public void append(final int row, final int last)
    {
        next[row] = NONE;
        previous[row] = last;
        if (last != NONE)
        {
            next[last] = row;
        }
    }

    /**
     * Removes a row from its list; the owner of the list updates its ends.
     *
     * @param row in a list
     */
    public void unlink(final int row)
    {
        if (previous[row] != NONE)
        {
            next[previous[row]] = next[row];
        }
        if (next[row] != NONE)
        {
            previous[next[row]] = previous[row];
        }
    }

    /**
     * The next row of a list, or {@link #NONE}.
     *
     * @param row in a list
     */
    public int next(final int row)
    {
        return next[row];
    }

    /**
     * The previous row of a list, or {@link #NONE}.
     *
     * @param row in a list
     */
    public int previous(final int row)
    {
        return previous[row];
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(used);
        to.writeCount(size);
        to.writeInt(free);
        to.writeInts(next, 0, used);
        to.writeInts(previous, 0, used);
        final boolean[] isFree = free();
        for (int row = 0; row < used; row++)
        {
            if (!isFree[row])
            {
                codes.write(to, words, row * width, width);
            }
        }
    }

    /** Free indexes, up to the last one that was used. */
    private boolean[] free()
    {
        final boolean[] isFree = new boolean[used];
        int row = free;
        for (int count = used - size; count > 0; count--)
        {
            isFree[row] = true;
            row = next[row];
        }
        return isFree;
    }

    @Override
    public void read(final StateInput from)
    {
        used = from.readSize(2 * Integer.BYTES);
        size = StateInput.checked(from.readCount(), used + 1, "rows");
        free = from.readInt();
        int capacity = next.length;
        while (capacity < used)
        {
            capacity *= 2;
        }
        StateInput.checked(capacity, Integer.MAX_VALUE / width, "slots");
        memory.charge(capacity == FEWEST ? 0 : (long)capacity * (width * Long.BYTES + 2 * Integer.BYTES));
        words = new long[capacity * width];
        next = new int[capacity];
        previous = new int[capacity];
        from.readInts(next, 0, used);
        from.readInts(previous, 0, used);
        final boolean[] isFree = free();
        for (int row = 0; row < used; row++)
        {
            if (!isFree[row])
            {
                codes.read(from, words, row * width, width);
            }
        }
    }
}
