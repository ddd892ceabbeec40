package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.RingState;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows of one side of a join, ordered by a value, so that the rows in a range are found without reading others. A treap
 * over the ring indexes of the rows: adding a row takes logarithmic time, removing one takes constant amortized time,
 * averaged over the shapes of the tree.
 *
 * <p>Each row may have a second value, which for most rows is not less than the first one. When a query has a range for
 * both, the greatest distance between the two values limits the rows that are read.
 *
 * <p>Confined to the engine thread.
 */
public final class OrderedIndex implements StateHolder, RingState
{
    /** No row. */
    public static final int NONE = -1;

    private static final int SPREAD = 0x9E3779B9;
    private static final int SPREAD_SECOND = 0x85EBCA6B;
    private static final int HALF = 16;
    /** Bytes per row: a value and three links. */
    private static final long ROW_BYTES = Long.BYTES + 3L * Integer.BYTES;
    /** Marks, instead of a parent, a row that is not in the tree. */
    private static final int OUT = -1;

    private final MemoryAccount memory;
    private long[] values = new long[RingArrays.FEWEST];
    /** Indexes + 1 of the children and of the parent, 0 without. */
    private int[] left = new int[RingArrays.FEWEST];
    private int[] right = new int[RingArrays.FEWEST];
    private int[] parent = new int[RingArrays.FEWEST];
    private int root;
    /** The greatest distance between the two values of a row since the tree was last empty. */
    private long widest;

    /** An empty index for a ring, which has the same capacity and is charged for both. */
    public OrderedIndex()
    {
        this(MemoryAccount.NONE);
    }

    /**
     * @param memory charged for growth
     */
    public OrderedIndex(final MemoryAccount memory)
    {
        this.memory = memory;
        Arrays.fill(parent, OUT);
    }

    /**
     * Follows a ring whose capacity was doubled.
     *
     * @param head position of the oldest row
     * @param tail position of the next row
     */
    public void grow(final int head, final int tail)
    {
        final int capacity = values.length;
        final OrderedIndex old = new OrderedIndex();
        old.values = values;
        old.left = left;
        old.right = right;
        old.parent = parent;
        extend(capacity * 2);
        Arrays.fill(parent, OUT);
        for (int id = head; id != tail; id++)
        {
            final int from = id & capacity - 1;
            final int to = id & capacity * 2 - 1;
            values[to] = old.values[from];
            left[to] = moved(old.left[from], head, capacity);
            right[to] = moved(old.right[from], head, capacity);
            parent[to] = moved(old.parent[from], head, capacity);
        }
        root = moved(root, head, capacity);
    }

    /** Translates a link to the index in a ring of twice the capacity. */
    private static int moved(final int link, final int head, final int capacity)
    {
        return link <= 0 ? link : (head + (link - 1 - head & capacity - 1) & capacity * 2 - 1) + 1;
    }

    private void extend(final int capacity)
    {
        final int before = values.length;
        memory.charge((capacity - before) * ROW_BYTES);
        values = Arrays.copyOf(values, capacity);
        left = Arrays.copyOf(left, capacity);
        right = Arrays.copyOf(right, capacity);
        parent = Arrays.copyOf(parent, capacity);
        Arrays.fill(parent, before, capacity, OUT);
    }

    /** The random priority of a row; it decides which of two rows is nearer to the root. */
    private static int rank(final int node)
    {
        int mixed = node * SPREAD;
        mixed = (mixed ^ mixed >>> HALF) * SPREAD_SECOND;
        return mixed ^ mixed >>> HALF;
    }

    /**
     * Adds a row.
     *
     * @param index one that no row has
     * @param value by which it is found
     */
    public void add(final int index, final long value)
    {
        while (index >= values.length)
        {
            extend(values.length * 2);
        }
        final int node = index + 1;
        values[index] = value;
        left[index] = 0;
        right[index] = 0;
        int above = 0;
        for (int at = root; at != 0; at = value < values[at - 1] ? left[at - 1] : right[at - 1])
        {
            above = at;
        }
        parent[index] = above;
        if (above == 0)
        {
            root = node;
            widest = 0;
            return;
        }
        if (value < values[above - 1])
        {
            left[above - 1] = node;
        }
        else
        {
            right[above - 1] = node;
        }
        final int rank = rank(node);
        while (parent[index] != 0 && rank > rank(parent[index]))
        {
            rise(node);
        }
    }

    /**
     * Adds a row that has a second value.
     *
     * @param index one that no row has
     * @param value by which it is found
     */
    public void add(final int index, final long value, final long second)
    {
        add(index, value);
        final long distance = second - value;
        final boolean isBeyond = ((second ^ value) & (second ^ distance)) < 0;
        widest = Math.max(widest, isBeyond && second > value ? Long.MAX_VALUE : isBeyond ? 0 : distance);
    }

    /** Rotates a node with its parent, which becomes its child. */
    private void rise(final int node)
    {
        final int above = parent[node - 1];
        final int top = parent[above - 1];
        if (left[above - 1] == node)
        {
            final int between = right[node - 1];
            left[above - 1] = between;
            adopt(between, above);
            right[node - 1] = above;
        }
        else
        {
            final int between = left[node - 1];
            right[above - 1] = between;
            adopt(between, above);
            left[node - 1] = above;
        }
        parent[above - 1] = node;
        replace(top, above, node);
    }

    private void adopt(final int child, final int by)
    {
        if (child != 0)
        {
            parent[child - 1] = by;
        }
    }

    /** Replaces a child of a node by another node, or by none. */
    private void replace(final int top, final int old, final int node)
    {
        if (top == 0)
        {
            root = node;
        }
        else if (left[top - 1] == old)
        {
            left[top - 1] = node;
        }
        else
        {
            right[top - 1] = node;
        }
        adopt(node, top);
    }

    /**
     * Removes a row; ignored when it is not in the tree.
     *
     * @param index of the row
     */
    public void remove(final int index)
    {
        if (index >= parent.length || parent[index] == OUT)
        {
            return;
        }
        while (left[index] != 0 && right[index] != 0)
        {
            rise(rank(left[index]) > rank(right[index]) ? left[index] : right[index]);
        }
        replace(parent[index], index + 1, left[index] != 0 ? left[index] : right[index]);
        parent[index] = OUT;
    }

    /**
     * The smallest value of a row whose second value is not less than a bound.
     *
     * @param second bound
     */
    public long least(final long second)
    {
        final long value = second - widest;
        return value > second ? Long.MIN_VALUE : value;
    }

    /**
     * The first row with a value in a range.
     *
     * @param low  lower bound
     * @param high upper bound
     * @return index, or {@link #NONE}
     */
    public int first(final long low, final long high)
    {
        int found = 0;
        int at = root;
        while (at != 0)
        {
            if (values[at - 1] >= low)
            {
                found = at;
                at = left[at - 1];
            }
            else
            {
                at = right[at - 1];
            }
        }
        return found == 0 || values[found - 1] > high ? NONE : found - 1;
    }

    /**
     * The row after another one.
     *
     * @param index of that row
     * @param high  upper bound
     * @return index, or {@link #NONE}
     */
    public int next(final int index, final long high)
    {
        int at = right[index];
        if (at != 0)
        {
            while (left[at - 1] != 0)
            {
                at = left[at - 1];
            }
        }
        else
        {
            int below = index + 1;
            at = parent[index];
            while (at != 0 && right[at - 1] == below)
            {
                below = at;
                at = parent[at - 1];
            }
        }
        return at == 0 || values[at - 1] > high ? NONE : at - 1;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(parent.length);
        write(to, 0, parent.length);
    }

    @Override
    public void read(final StateInput from)
    {
        final int capacity = from.readSize(1);
        if (capacity > values.length)
        {
            extend(capacity);
        }
        read(from, 0, capacity);
    }

    @Override
    public void write(final StateOutput to, final int head, final int tail)
    {
        to.writeLong(widest);
        for (int id = head; id != tail; id++)
        {
            final int index = id & parent.length - 1;
            to.writeBoolean(parent[index] != OUT);
            if (parent[index] != OUT)
            {
                to.writeLong(values[index]);
            }
        }
    }

    @Override
    public void read(final StateInput from, final int head, final int tail, final int capacity)
    {
        extend(capacity);
        read(from, head, tail);
    }

    /** Rows are added again, since the shape of the tree has no meaning. */
    private void read(final StateInput from, final int head, final int tail)
    {
        final long distance = from.readLong();
        for (int id = head; id != tail; id++)
        {
            if (from.readBoolean())
            {
                add(id & values.length - 1, from.readLong());
            }
        }
        widest = distance;
    }
}
