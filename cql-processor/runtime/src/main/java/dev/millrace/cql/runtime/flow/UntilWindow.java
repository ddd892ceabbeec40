package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotLongs;

/**
 * {@code [range until E]}: a row enters at its time and leaves when time reaches its column. A row whose column is not
 * later than its own time never enters; one with null is turned away. Rows that leave at one instant leave in the order
 * in which they came. O(log n) an event, with n rows inside.
 *
 * <p>Threads: the engine's.
 */
public final class UntilWindow extends FlowOperator
{
    /** Reason of a row that does not say when it leaves. */
    public static final String NO_END = "window-column-null";

    /** Words of an entry of the heap: when its row leaves, how many came before it, and the row. */
    private static final int LEAVES = 0;
    private static final int NUMBER = 1;
    private static final int ROW = 2;
    private static final int WORDS = 3;

    private final FlowOperator input;
    private final int column;
    /** A heap: the row that leaves first lies at 0; below i lie 2i + 1 and 2i + 2. */
    private final SlotLongs heap = new SlotLongs(WORDS);
    private int size;
    private long entered;

    /**
     * Makes a window.
     *
     * @param input  stream
     * @param column timestamp or bigint of nanoseconds
     */
    public UntilWindow(final FlowOperator input, final int column)
    {
        super(input.store(), input);
        this.input = input;
        this.column = column;
    }

    @Override
    protected void process(final long nowNs)
    {
        while (size > 0 && heap.get(0, LEAVES) <= nowNs)
        {
            delta().give(poll(), false);
        }
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            enter(in.row(i), nowNs);
        }
        wake();
    }

    private void wake()
    {
        wakeAt(size == 0 ? NEVER : heap.get(0, LEAVES));
    }

    private void enter(final int row, final long nowNs)
    {
        if (store().isNull(row, column))
        {
            reject(NO_END, "the column of RANGE UNTIL is null");
            return;
        }
        final long leavesNs = store().getLong(row, column);
        if (leavesNs > nowNs)
        {
            store().retain(row);
            push(leavesNs, entered++, row);
            delta().add(row, true);
        }
    }

    private void push(final long leavesNs, final long number, final int row)
    {
        int at = size++;
        heap.reach(at);
        while (at > 0 && isBefore(leavesNs, number, at - 1 >> 1))
        {
            copy(at - 1 >> 1, at);
            at = at - 1 >> 1;
        }
        set(at, leavesNs, number, row);
    }

    /** Takes the row out that leaves first; its claim goes to the caller. */
    private int poll()
    {
        final int row = (int)heap.get(0, ROW);
        size--;
        final long leavesNs = heap.get(size, LEAVES);
        final long number = heap.get(size, NUMBER);
        int at = 0;
        for (int below = first(1, 2); below < size && !isBefore(leavesNs, number, below);
            below = first(2 * at + 1, 2 * at + 2))
        {
            copy(below, at);
            at = below;
        }
        set(at, leavesNs, number, (int)heap.get(size, ROW));
        return row;
    }

    /** The one of two neighbours that leaves first; the left one when there is no right one. */
    private int first(final int left, final int right)
    {
        return right < size && isBefore(heap.get(right, LEAVES), heap.get(right, NUMBER), left) ? right : left;
    }

    private boolean isBefore(final long leavesNs, final long number, final int entry)
    {
        final long otherNs = heap.get(entry, LEAVES);
        return leavesNs < otherNs || leavesNs == otherNs && number < heap.get(entry, NUMBER);
    }

    private void copy(final int from, final int to)
    {
        set(to, heap.get(from, LEAVES), heap.get(from, NUMBER), (int)heap.get(from, ROW));
    }

    private void set(final int entry, final long leavesNs, final long number, final int row)
    {
        heap.set(entry, LEAVES, leavesNs);
        heap.set(entry, NUMBER, number);
        heap.set(entry, ROW, row);
    }

    @Override
    protected void forget(final PartitionTest partitions, final int partition)
    {
        final int before = size;
        size = 0;
        for (int i = 0; i < before; i++)
        {
            final int row = (int)heap.get(i, ROW);
            if (partitions.test(store(), row, partition))
            {
                delta().give(row, false);
            }
            else
            {
                // Never behind the entries that are still to be read.
                push(heap.get(i, LEAVES), heap.get(i, NUMBER), row);
            }
        }
        wake();
    }

    @Override
    public long stateSize()
    {
        return size;
    }
}
