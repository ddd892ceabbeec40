package dev.millrace.cql.runtime.unit.box;

import dev.millrace.api.cartridge.PairBoxes;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.RingState;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.RingArrays;
import java.util.Arrays;

/**
 * Rows of one side of a join by the rectangles of a predicate, so that the rows whose rectangles meet another one are
 * found without reading others. Rows without a rectangle are always found.
 *
 * <p>Confined to the engine thread.
 */
public final class BoxIndex implements StateHolder, RingState
{
    private static final int SIDES = 4;
    /** Instead of a leaf: a row that is not here. */
    private static final int OUT = -1;
    /** Instead of a leaf: a row that is always found. */
    private static final int ALWAYS = -2;
    /** Instead of a leaf: a row that only {@link #all()} finds. */
    private static final int HIDDEN = -3;

    private final MemoryAccount memory;
    private final RectangleTree tree;
    /** Leaves of rows. */
    private int[] leaves = new int[RingArrays.FEWEST];
    /** Rows that are always found, in any order. */
    private int[] always = new int[RingArrays.FEWEST];
    private int alwaysCount;
    private int[] found = new int[RingArrays.FEWEST];
    private int count;
    private final double[] box = new double[SIDES];
    private final RectangleTree.Found collector = this::collect;

    /** An empty index whose growth is not charged. */
    public BoxIndex()
    {
        this(MemoryAccount.NONE);
    }

    /**
     * @param memory charged for growth
     */
    public BoxIndex(final MemoryAccount memory)
    {
        this.memory = memory;
        tree = new RectangleTree(memory, (id, leaf) -> leaves[id] = leaf);
        Arrays.fill(leaves, OUT);
    }

    private void extend(final int capacity)
    {
        final int before = leaves.length;
        memory.charge((capacity - before) * (long)Integer.BYTES);
        leaves = Arrays.copyOf(leaves, capacity);
        Arrays.fill(leaves, before, capacity, OUT);
    }

    private void place(final int row)
    {
        int capacity = leaves.length;
        while (row >= capacity)
        {
            capacity *= 2;
        }
        if (capacity > leaves.length)
        {
            extend(capacity);
        }
    }

    /**
     * Adds a row.
     *
     * @param row   index that no row has
     * @param boxes rectangles of the predicate
     * @param value argument of the predicate
     */
    public void add(final int row, final PairBoxes boxes, final Object value)
    {
        if (boxes.store(value, box))
        {
            add(row, box);
        }
        else
        {
            addAlways(row);
        }
    }

    private void add(final int row, final double[] of)
    {
        place(row);
        tree.add(row, of);
    }

    /** Adds a row that every search finds. */
    public void addAlways(final int row)
    {
        place(row);
        leaves[row] = ALWAYS;
        if (alwaysCount == always.length)
        {
            memory.charge(alwaysCount * (long)Integer.BYTES);
            always = Arrays.copyOf(always, alwaysCount * 2);
        }
        always[alwaysCount++] = row;
    }

    /** Adds a row whose value is null: only {@link #all()} finds it. */
    public void addNull(final int row)
    {
        place(row);
        leaves[row] = HIDDEN;
    }

    /** Removes a row; ignored when it is not here. */
    public void remove(final int row)
    {
        if (row >= leaves.length || leaves[row] == OUT)
        {
            return;
        }
        if (leaves[row] == ALWAYS)
        {
            int at = 0;
            while (always[at] != row)
            {
                at++;
            }
            always[at] = always[--alwaysCount];
        }
        else if (leaves[row] >= 0)
        {
            tree.remove(row, leaves[row]);
        }
        leaves[row] = OUT;
    }

    /**
     * Finds the rows that may satisfy a predicate.
     *
     * @param boxes    rectangles of the predicate
     * @param value    argument of the predicate
     * @param distance further argument, {@code NaN} without one
     * @return number of rows, which {@link #found(int)} returns until the next search
     */
    public int search(final PairBoxes boxes, final Object value, final double distance)
    {
        if (!boxes.search(value, distance, box))
        {
            return all();
        }
        count = 0;
        tree.search(box, collector);
        collectAlways();
        // The shape of the tree is not part of the state, so that its order must not be visible.
        Arrays.sort(found, 0, count);
        return count;
    }

    /** Finds all rows. */
    public int all()
    {
        count = 0;
        for (int row = 0; row < leaves.length; row++)
        {
            if (leaves[row] != OUT)
            {
                collect(row);
            }
        }
        return count;
    }

    /** Finds the rows that every search finds. */
    public int always()
    {
        count = 0;
        collectAlways();
        Arrays.sort(found, 0, count);
        return count;
    }

    private void collectAlways()
    {
        for (int i = 0; i < alwaysCount; i++)
        {
            collect(always[i]);
        }
    }

    private void collect(final int row)
    {
        if (count == found.length)
        {
            memory.charge(count * (long)Integer.BYTES);
            found = Arrays.copyOf(found, count * 2);
        }
        found[count++] = row;
    }

    /** A row of the last search, in order of indexes. */
    public int found(final int at)
    {
        return found[at];
    }

    /**
     * Follows a ring whose capacity was doubled.
     *
     * @param head position of the oldest row
     * @param tail position of the next row
     */
    public void grow(final int head, final int tail)
    {
        final int capacity = leaves.length;
        final int[] before = leaves;
        extend(capacity * 2);
        Arrays.fill(leaves, OUT);
        for (int id = head; id != tail; id++)
        {
            final int from = id & capacity - 1;
            final int to = id & capacity * 2 - 1;
            leaves[to] = before[from];
            if (before[from] >= 0 && from != to)
            {
                tree.rename(from, before[from], to);
            }
        }
        for (int i = 0; i < alwaysCount; i++)
        {
            always[i] = head + (always[i] - head & capacity - 1) & capacity * 2 - 1;
        }
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(leaves.length);
        write(to, 0, leaves.length);
    }

    @Override
    public void read(final StateInput from)
    {
        final int capacity = from.readSize(1);
        place(Math.max(0, capacity - 1));
        read(from, 0, capacity);
    }

    @Override
    public void write(final StateOutput to, final int head, final int tail)
    {
        for (int id = head; id != tail; id++)
        {
            final int row = id & leaves.length - 1;
            to.writeByte(Math.min(0, leaves[row]));
            if (leaves[row] >= 0)
            {
                tree.box(row, leaves[row], box);
                for (final double side : box)
                {
                    to.writeLong(Double.doubleToRawLongBits(side));
                }
            }
        }
    }

    @Override
    public void read(final StateInput from, final int head, final int tail, final int capacity)
    {
        place(capacity - 1);
        read(from, head, tail);
    }

    /** Rows are added again, since the shape of the tree has no meaning. */
    private void read(final StateInput from, final int head, final int tail)
    {
        for (int id = head; id != tail; id++)
        {
            final int row = id & leaves.length - 1;
            switch (from.readByte())
            {
                case OUT ->
                {
                    // The index has no such row.
                }
                case ALWAYS -> addAlways(row);
                case HIDDEN -> addNull(row);
                default ->
                {
                    for (int i = 0; i < SIDES; i++)
                    {
                        box[i] = Double.longBitsToDouble(from.readLong());
                    }
                    add(row, box);
                }
            }
        }
    }
}
