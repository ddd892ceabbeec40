package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * The greatest value of each group of a relation whose rows leave in any order, but each at a time that is known when
 * it enters. A value is discarded at once when another one is not less and stays at least as long, so most groups have
 * one value, in their record. Other values are in a pairing heap of the group, and are discarded when they reach the
 * top after their time, or when there are many more values than rows. A row that leaves costs nothing; a row that
 * enters takes at most logarithmic amortized time.
 *
 * <p>A group has {@value #WORDS} words in its record: the number of values in its heap together with the root as id +
 * 1, the greatest value, and the time at which it leaves. Values are longs of the same order; for the minimum they are
 * complemented.
 *
 * <p>Confined to the engine thread.
 */
public final class TimedExtremes implements StateHolder
{
    /** Words per group. */
    public static final int WORDS = 3;
    /** Index of the word with the time at which the greatest value leaves. */
    public static final int TIME = 2;

    private static final int VALUE = 1;
    private static final long LOW = 0xFFFFFFFFL;
    private static final int FEWEST = 64;
    /** Longs per node: value, time, and links: the first child, and the next child of its parent. */
    private static final int WIDTH = 3;
    private static final int LINKS = 2;
    /** Number of values that a heap may have beyond twice the rows. */
    private static final int SPARE = 16;

    private final MemoryAccount memory;
    private long[] nodes = new long[FEWEST * WIDTH];
    /** The first free node as id + 1; its links lead to the next one. */
    private int free;
    private int used;
    private int size;

    /**
     * @param memory checked before it grows
     */
    public TimedExtremes(final MemoryAccount memory)
    {
        this.memory = memory;
    }

    /** Number of values in heaps. */
    public int size()
    {
        return size;
    }

    /**
     * Ensures capacity for a value.
     *
     * @return false when memory is short
     */
    public boolean reserve()
    {
        return free != 0 || used * WIDTH < nodes.length || grow();
    }

    private boolean grow()
    {
        final long bytes = (long)nodes.length * Long.BYTES;
        if (nodes.length > Integer.MAX_VALUE / 2 || memory.isShort() || !memory.reserve(2 * bytes))
        {
            return false;
        }
        nodes = Arrays.copyOf(nodes, nodes.length * 2);
        memory.release(used == FEWEST ? 0 : bytes);
        return true;
    }

    /**
     * Adds a row; {@link #reserve} has ensured the capacity.
     *
     * @param record of the group
     * @param at     first word
     * @param leaves when it leaves, later than now
     * @param rows   number of rows with a value in the group, including this one
     * @param now    the instant
     */
    public void enter(final long[] record, final int at, final long value, final long leaves, final long rows,
        final long now)
    {
        final long greatest = record[at + VALUE];
        final long until = record[at + TIME];
        if (rows == 1)
        {
            clear(record, at);
        }
        else if (value < greatest)
        {
            if (leaves > until)
            {
                push(record, at, value, leaves, rows, now);
            }
            return;
        }
        else if (leaves < until)
        {
            if (value == greatest)
            {
                return;
            }
            push(record, at, greatest, until, rows, now);
        }
        record[at + VALUE] = value;
        record[at + TIME] = leaves;
    }

    /**
     * At the end of an instant, finds the greatest value that has not left, of a group that has one.
     *
     * @param record of the group
     * @param at     first word
     * @param now    the instant
     */
    public void settle(final long[] record, final int at, final long now)
    {
        while (record[at + TIME] <= now && record[at] != 0)
        {
            final int root = (int)record[at];
            final int count = (int)(record[at] >>> Integer.SIZE) - 1;
            record[at + VALUE] = nodes[offset(root)];
            record[at + TIME] = nodes[offset(root) + 1];
            final int rest = mergeAll(child(root));
            give(root);
            record[at] = heap(count, rest);
        }
    }

    /**
     * Discards the values of a group.
     *
     * @param record of the group
     * @param at     first word
     */
    public void clear(final long[] record, final int at)
    {
        for (int list = (int)record[at]; list != 0;)
        {
            final int node = list;
            list = below(node, next(node));
            give(node);
        }
        record[at] = 0;
    }

    private void push(final long[] record, final int at, final long value, final long leaves, final long rows,
        final long now)
    {
        final int count = (int)(record[at] >>> Integer.SIZE);
        if (count > 2 * rows + SPARE)
        {
            sift(record, at, now);
        }
        final int node = take();
        nodes[offset(node)] = value;
        nodes[offset(node) + 1] = leaves;
        record[at] = heap((int)(record[at] >>> Integer.SIZE) + 1, merge((int)record[at], node));
    }

    /** Discards all values of a heap that have left. */
    private void sift(final long[] record, final int at, final long now)
    {
        int root = 0;
        int count = 0;
        for (int list = (int)record[at]; list != 0;)
        {
            final int node = list;
            list = below(node, next(node));
            if (nodes[offset(node) + 1] > now)
            {
                link(node, 0, 0);
                root = merge(root, node);
                count++;
            }
            else
            {
                give(node);
            }
        }
        record[at] = heap(count, root);
    }

    /** Prepends the children of a node to a list. */
    private int below(final int node, final int list)
    {
        int all = list;
        for (int child = child(node); child != 0;)
        {
            final int next = next(child);
            link(child, child(child), all);
            all = child;
            child = next;
        }
        return all;
    }

    private static long heap(final int count, final int root)
    {
        return (long)count << Integer.SIZE | root & LOW;
    }

    private static int offset(final int node)
    {
        return (node - 1) * WIDTH;
    }

    private int child(final int node)
    {
        return (int)(nodes[offset(node) + LINKS] >>> Integer.SIZE);
    }

    private int next(final int node)
    {
        return (int)nodes[offset(node) + LINKS];
    }

    private void link(final int node, final int child, final int next)
    {
        nodes[offset(node) + LINKS] = (long)child << Integer.SIZE | next & LOW;
    }

    private int take()
    {
        final int node = free == 0 ? ++used : free;
        free = node == free ? next(node) : 0;
        link(node, 0, 0);
        size++;
        return node;
    }

    private void give(final int node)
    {
        link(node, 0, free);
        free = node;
        size--;
    }

    /** Merges two trees: the one with the lesser root becomes the first child of the other; either may be 0. */
    private int merge(final int a, final int b)
    {
        if (a == 0 || b == 0)
        {
            return a + b;
        }
        final boolean isFirst = nodes[offset(a)] >= nodes[offset(b)];
        final int root = isFirst ? a : b;
        final int child = isFirst ? b : a;
        link(child, child(child), child(root));
        link(root, child, next(root));
        return root;
    }

    /** Merges children in pairs from the first to the last, and the pairs from the last to the first. */
    private int mergeAll(final int first)
    {
        int pairs = 0;
        for (int node = first; node != 0;)
        {
            final int other = next(node);
            final int rest = other == 0 ? 0 : next(other);
            final int pair = merge(node, other);
            link(pair, child(pair), pairs);
            pairs = pair;
            node = rest;
        }
        int root = 0;
        while (pairs != 0)
        {
            final int next = next(pairs);
            link(pairs, child(pairs), 0);
            root = merge(root, pairs);
            pairs = next;
        }
        if (root != 0)
        {
            link(root, child(root), 0);
        }
        return root;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(used);
        to.writeCount(size);
        to.writeCount(free);
        to.writeLongs(nodes, 0, used * WIDTH);
    }

    @Override
    public void read(final StateInput from)
    {
        used = from.readSize(WIDTH * Long.BYTES);
        size = StateInput.checked(from.readCount(), used + 1, "values");
        free = StateInput.checked(from.readCount(), used + 1, "values");
        int capacity = FEWEST;
        while (capacity < used)
        {
            capacity *= 2;
        }
        memory.charge(capacity == FEWEST ? 0 : (long)capacity * WIDTH * Long.BYTES);
        nodes = new long[capacity * WIDTH];
        from.readLongs(nodes, 0, used * WIDTH);
    }
}
