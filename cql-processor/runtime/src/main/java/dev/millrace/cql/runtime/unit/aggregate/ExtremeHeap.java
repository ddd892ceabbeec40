package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.unit.LongPairKeys;
import dev.millrace.cql.runtime.unit.OrderedLongs;

/**
 * The greatest value of each group of a relation whose rows leave in any order. Each group has a pairing heap of its
 * distinct values, linked through the records of a table that counts how often each value occurs. Adding a value takes
 * constant time, removing one logarithmic amortized time.
 *
 * <p>A record of the table begins with group, value and count; {@value #LINKS} of its words belong to the heap: its
 * first child, the next child of its parent, and the previous child or the parent, each as id + 1. A group has two
 * words in its own record: the id + 1 of the greatest value, 0 without values, and that value. Values are longs of the
 * same order; for the minimum they are complemented.
 *
 * <p>Confined to the engine thread.
 */
public final class ExtremeHeap
{
    /** Words per value. */
    public static final int LINKS = 3;

    private static final int VALUE = 1;
    private static final int CHILD = 0;
    private static final int NEXT = 1;
    private static final int BEFORE = 2;

    private final LongPairKeys values;
    private final int width;
    private final int links;
    private final boolean isFloating;
    private final boolean isLeast;

    /**
     * @param values     of all groups
     * @param width      longs per record
     * @param links      index of the first link word in a record
     * @param isFloating whether values are bits of doubles
     * @param isLeast    whether to find the minimum
     */
    public ExtremeHeap(final LongPairKeys values, final int width, final int links, final boolean isFloating,
        final boolean isLeast)
    {
        this.values = values;
        this.width = width;
        this.links = links;
        this.isFloating = isFloating;
        this.isLeast = isLeast;
    }

    /**
     * Adds a value that the group did not have.
     *
     * @param record of the group
     * @param at     its first word
     * @param id     of the value
     */
    public void enter(final long[] record, final int at, final int id)
    {
        final long[] all = values.records;
        final int own = id * width + links;
        all[own + CHILD] = 0;
        all[own + NEXT] = 0;
        all[own + BEFORE] = 0;
        show(record, at, merge(all, (int)record[at], id + 1));
    }

    /**
     * Removes a value.
     *
     * @param record of the group
     * @param at     its first word
     * @param id     of the value
     */
    public void leave(final long[] record, final int at, final int id)
    {
        final long[] all = values.records;
        final int node = id + 1;
        final int children = mergeAll(all, get(all, node, CHILD));
        if (record[at] == node)
        {
            show(record, at, children);
            return;
        }
        final int next = get(all, node, NEXT);
        final int before = get(all, node, BEFORE);
        set(all, before, get(all, before, CHILD) == node ? CHILD : NEXT, next);
        if (next != 0)
        {
            set(all, next, BEFORE, before);
        }
        show(record, at, merge(all, (int)record[at], children));
    }

    private void show(final long[] record, final int at, final int root)
    {
        record[at] = root;
        if (root != 0)
        {
            record[at + VALUE] = order(values.records, root);
        }
    }

    private long order(final long[] all, final int node)
    {
        final long word = all[(node - 1) * width + VALUE];
        final long order = isFloating ? OrderedLongs.ofBits(word) : word;
        return isLeast ? ~order : order;
    }

    private int get(final long[] all, final int node, final int link)
    {
        return (int)all[(node - 1) * width + links + link];
    }

    private void set(final long[] all, final int node, final int link, final int to)
    {
        all[(node - 1) * width + links + link] = to;
    }

    /** Merges two trees: the one with the lesser root becomes the first child of the other; either may be 0. */
    private int merge(final long[] all, final int a, final int b)
    {
        if (a == 0 || b == 0)
        {
            return a + b;
        }
        final boolean isFirst = order(all, a) >= order(all, b);
        final int root = isFirst ? a : b;
        final int child = isFirst ? b : a;
        final int second = get(all, root, CHILD);
        set(all, child, NEXT, second);
        if (second != 0)
        {
            set(all, second, BEFORE, child);
        }
        set(all, child, BEFORE, root);
        set(all, root, CHILD, child);
        return root;
    }

    /** Merges children in pairs from the first to the last, and the pairs from the last to the first. */
    private int mergeAll(final long[] all, final int first)
    {
        int pairs = 0;
        int node = first;
        while (node != 0)
        {
            final int other = get(all, node, NEXT);
            final int rest = other == 0 ? 0 : get(all, other, NEXT);
            final int pair = merge(all, node, other);
            set(all, pair, NEXT, pairs);
            pairs = pair;
            node = rest;
        }
        int root = 0;
        while (pairs != 0)
        {
            final int next = get(all, pairs, NEXT);
            set(all, pairs, NEXT, 0);
            root = merge(all, root, pairs);
            pairs = next;
        }
        if (root != 0)
        {
            set(all, root, NEXT, 0);
            set(all, root, BEFORE, 0);
        }
        return root;
    }
}
