package dev.millrace.cql.runtime.unit.box;

import dev.millrace.api.memory.MemoryAccount;
import java.util.Arrays;

/**
 * An R-tree over rectangles with ids: adding and removing one take logarithmic time, and a search reads the nodes whose
 * rectangles meet the one searched for. Nodes are ranges of arrays. A full node is divided in the middle of its longer
 * side; a node ends when its last entry is removed.
 *
 * <p>Confined to the engine thread.
 */
final class RectangleTree
{
    /** Entries of a node. */
    private static final int ENTRIES = 16;
    private static final int SIDES = 4;
    private static final int FEWEST_NODES = 4;
    private static final long NODE_BYTES =
        ENTRIES * (SIDES * (long)Double.BYTES + Integer.BYTES) + 3L * Integer.BYTES;
    private static final int NONE = -1;

    private final MemoryAccount memory;
    /** Rectangles of the entries of all nodes: smallest x, smallest y, largest x, largest y. */
    private double[] boxes = new double[FEWEST_NODES * ENTRIES * SIDES];
    /** Ids of rows in leaves, otherwise nodes. */
    private int[] entries = new int[FEWEST_NODES * ENTRIES];
    private int[] sizes = new int[FEWEST_NODES];
    /** Parents of nodes; the next free node after one that has ended. */
    private int[] parents = new int[FEWEST_NODES];
    private int[] levels = new int[FEWEST_NODES];
    private int nodes;
    private int free = NONE;
    private int root;
    /** Nodes to visit in a search. */
    private int[] visits = new int[ENTRIES];
    private final double[] whole = new double[SIDES];
    private final double[] half = new double[SIDES];
    private final double[] divided = new double[(ENTRIES + 1) * SIDES];
    private final int[] dividedEntries = new int[ENTRIES + 1];

    /** Receives the leaf of an entry when it is placed or moved. */
    @FunctionalInterface
    interface Leaves
    {
        void placed(int id, int leaf);
    }

    private final Leaves leaves;

    /**
     * @param memory charged for growth
     * @param leaves receives the leaves of entries
     */
    RectangleTree(final MemoryAccount memory, final Leaves leaves)
    {
        this.memory = memory;
        this.leaves = leaves;
        root = node(0, NONE);
    }

    private int node(final int level, final int parent)
    {
        final int node;
        if (free != NONE)
        {
            node = free;
            free = parents[node];
        }
        else
        {
            if (nodes == sizes.length)
            {
                memory.charge(nodes * NODE_BYTES);
                boxes = Arrays.copyOf(boxes, boxes.length * 2);
                entries = Arrays.copyOf(entries, entries.length * 2);
                sizes = Arrays.copyOf(sizes, nodes * 2);
                parents = Arrays.copyOf(parents, nodes * 2);
                levels = Arrays.copyOf(levels, nodes * 2);
            }
            node = nodes++;
        }
        sizes[node] = 0;
        parents[node] = parent;
        levels[node] = level;
        return node;
    }

    /** Adds an entry. */
    void add(final int id, final double[] box)
    {
        int node = root;
        while (levels[node] > 0)
        {
            final int best = nearest(node, box);
            extend((node * ENTRIES + best) * SIDES, box, 0);
            node = entries[node * ENTRIES + best];
        }
        insert(node, id, box, 0);
    }

    /** The entry of a node that grows least to contain a rectangle. */
    private int nearest(final int node, final double[] box)
    {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        double smallest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < sizes[node]; i++)
        {
            final int at = (node * ENTRIES + i) * SIDES;
            final double size = (boxes[at + 2] - boxes[at]) + (boxes[at + 3] - boxes[at + 1]);
            final double grown = Math.max(boxes[at + 2], box[2]) - Math.min(boxes[at], box[0]) +
                Math.max(boxes[at + 3], box[3]) - Math.min(boxes[at + 1], box[1]);
            if (grown - size < least || grown - size == least && size < smallest)
            {
                best = i;
                least = grown - size;
                smallest = size;
            }
        }
        return best;
    }

    private void extend(final int at, final double[] box, final int from)
    {
        boxes[at] = Math.min(boxes[at], box[from]);
        boxes[at + 1] = Math.min(boxes[at + 1], box[from + 1]);
        boxes[at + 2] = Math.max(boxes[at + 2], box[from + 2]);
        boxes[at + 3] = Math.max(boxes[at + 3], box[from + 3]);
    }

    private void insert(final int node, final int entry, final double[] box, final int from)
    {
        if (sizes[node] == ENTRIES)
        {
            divide(node, entry, box, from);
        }
        else
        {
            put(node, entry, box, from);
        }
    }

    private void put(final int node, final int entry, final double[] box, final int from)
    {
        final int at = node * ENTRIES + sizes[node]++;
        entries[at] = entry;
        System.arraycopy(box, from, boxes, at * SIDES, SIDES);
        if (levels[node] == 0)
        {
            leaves.placed(entry, node);
        }
        else
        {
            parents[entry] = node;
        }
    }

    /** Divides a full node, one of whose halves receives another entry. */
    private void divide(final int node, final int entry, final double[] box, final int from)
    {
        System.arraycopy(boxes, node * ENTRIES * SIDES, divided, 0, ENTRIES * SIDES);
        System.arraycopy(box, from, divided, ENTRIES * SIDES, SIDES);
        System.arraycopy(entries, node * ENTRIES, dividedEntries, 0, ENTRIES);
        dividedEntries[ENTRIES] = entry;
        sortDivided();
        sizes[node] = 0;
        if (parents[node] == NONE)
        {
            root = node(levels[node] + 1, NONE);
            put(root, node, divided, 0);
        }
        final int other = node(levels[node], NONE);
        for (int i = 0; i <= ENTRIES; i++)
        {
            put(i <= ENTRIES / 2 ? node : other, dividedEntries[i], divided, i * SIDES);
        }
        // Those above contain both halves: they contained the node, and were extended for the new entry.
        bounds(node, half);
        System.arraycopy(half, 0, boxes, (parents[node] * ENTRIES + slot(parents[node], node)) * SIDES, SIDES);
        bounds(other, half);
        insert(parents[node], other, half, 0);
    }

    /** Sorts the entries to divide by their centers along the longer side of their common rectangle. */
    private void sortDivided()
    {
        double minX = Double.POSITIVE_INFINITY;
        double minY = Double.POSITIVE_INFINITY;
        double maxX = Double.NEGATIVE_INFINITY;
        double maxY = Double.NEGATIVE_INFINITY;
        for (int at = 0; at < divided.length; at += SIDES)
        {
            final double x = divided[at] + divided[at + 2];
            final double y = divided[at + 1] + divided[at + 3];
            minX = Math.min(minX, x);
            maxX = Math.max(maxX, x);
            minY = Math.min(minY, y);
            maxY = Math.max(maxY, y);
        }
        final int axis = maxX - minX >= maxY - minY ? 0 : 1;
        for (int i = 1; i <= ENTRIES; i++)
        {
            for (int k = i; k > 0 && centre(k, axis) < centre(k - 1, axis); k--)
            {
                swap(k);
            }
        }
    }

    private double centre(final int entry, final int axis)
    {
        return divided[entry * SIDES + axis] + divided[entry * SIDES + axis + 2];
    }

    /** Swaps an entry with the one before it. */
    private void swap(final int entry)
    {
        final int id = dividedEntries[entry];
        dividedEntries[entry] = dividedEntries[entry - 1];
        dividedEntries[entry - 1] = id;
        System.arraycopy(divided, entry * SIDES, whole, 0, SIDES);
        System.arraycopy(divided, (entry - 1) * SIDES, divided, entry * SIDES, SIDES);
        System.arraycopy(whole, 0, divided, (entry - 1) * SIDES, SIDES);
    }

    private void bounds(final int node, final double[] out)
    {
        System.arraycopy(boxes, node * ENTRIES * SIDES, out, 0, SIDES);
        for (int at = (node * ENTRIES + 1) * SIDES; at < (node * ENTRIES + sizes[node]) * SIDES; at += SIDES)
        {
            out[0] = Math.min(out[0], boxes[at]);
            out[1] = Math.min(out[1], boxes[at + 1]);
            out[2] = Math.max(out[2], boxes[at + 2]);
            out[3] = Math.max(out[3], boxes[at + 3]);
        }
    }

    /** Computes the rectangles of a node and of those above it again, until one is unchanged. */
    private void tighten(final int changed)
    {
        for (int node = changed; parents[node] != NONE; node = parents[node])
        {
            bounds(node, whole);
            final int at = (parents[node] * ENTRIES + slot(parents[node], node)) * SIDES;
            if (Arrays.equals(whole, 0, SIDES, boxes, at, at + SIDES))
            {
                return;
            }
            System.arraycopy(whole, 0, boxes, at, SIDES);
        }
    }

    private int slot(final int node, final int entry)
    {
        int slot = 0;
        while (entries[node * ENTRIES + slot] != entry)
        {
            slot++;
        }
        return slot;
    }

    /** Removes an entry from its leaf. */
    void remove(final int id, final int leaf)
    {
        int node = leaf;
        take(node, slot(node, id));
        while (sizes[node] == 0 && parents[node] != NONE)
        {
            final int above = parents[node];
            take(above, slot(above, node));
            parents[node] = free;
            free = node;
            node = above;
        }
        if (sizes[node] == 0)
        {
            levels[node] = 0;
            return;
        }
        tighten(node);
        while (levels[root] > 0 && sizes[root] == 1)
        {
            final int only = entries[root * ENTRIES];
            parents[root] = free;
            free = root;
            root = only;
            parents[root] = NONE;
        }
    }

    private void take(final int node, final int slot)
    {
        final int last = node * ENTRIES + --sizes[node];
        final int at = node * ENTRIES + slot;
        entries[at] = entries[last];
        System.arraycopy(boxes, last * SIDES, boxes, at * SIDES, SIDES);
    }

    /** Gives an entry another id. */
    void rename(final int id, final int leaf, final int other)
    {
        entries[leaf * ENTRIES + slot(leaf, id)] = other;
    }

    /** Copies the rectangle of an entry. */
    void box(final int id, final int leaf, final double[] out)
    {
        System.arraycopy(boxes, (leaf * ENTRIES + slot(leaf, id)) * SIDES, out, 0, SIDES);
    }

    /** Receives ids. */
    @FunctionalInterface
    interface Found
    {
        void found(int id);
    }

    /** Finds all entries whose rectangles meet one, in no particular order. */
    void search(final double[] box, final Found found)
    {
        int count = 0;
        visits[count++] = root;
        while (count > 0)
        {
            final int node = visits[--count];
            if (count + ENTRIES > visits.length)
            {
                visits = Arrays.copyOf(visits, visits.length * 2);
            }
            for (int i = node * ENTRIES; i < node * ENTRIES + sizes[node]; i++)
            {
                final int at = i * SIDES;
                if (boxes[at] <= box[2] && boxes[at + 2] >= box[0] && boxes[at + 1] <= box[3] &&
                    boxes[at + 3] >= box[1])
                {
                    if (levels[node] == 0)
                    {
                        found.found(entries[i]);
                    }
                    else
                    {
                        visits[count++] = entries[i];
                    }
                }
            }
        }
    }
}
