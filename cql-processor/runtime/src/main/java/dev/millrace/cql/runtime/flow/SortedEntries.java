package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.SlotInts;
import java.util.Arrays;

/**
 * Sorted sets of entries, any number of sets side by side; an entry is in one set at a time. A set
 * is known by its root, which each change may replace. Treaps: O(log n) a change, nothing is allocated but for growth.
 *
 * <p>Threads: the engine's.
 */
final class SortedEntries
{
    /** No entry; also the root of an empty set. */
    static final int NONE = -1;

    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int PRIORITY = 2;
    private static final int FIRST_DEPTH = 64;

    private final Order order;
    private final SlotInts nodes;
    private int seed = 0x2545F491;
    /** The way of the last search from the root, and where it went on; as long as a tree is deep. */
    private int[] path = new int[FIRST_DEPTH];
    private int[] sides = new int[FIRST_DEPTH];
    private int depth;

    /** Order of entries. */
    interface Order
    {
        /** Takes the entry that is compared next, often. */
        void seek(int entry);

        /** Compares it: negative, 0 or positive; 0 only for the same entry, or for an equal one that is looked for. */
        int compareTo(int other);
    }

    SortedEntries(final Order order)
    {
        this(order, MemoryAccount.NONE);
    }

    SortedEntries(final Order order, final MemoryAccount memory)
    {
        nodes = new SlotInts(3, 0, memory);
        this.order = order;
    }

    /** Adds an entry that no set has; gives the new root. */
    int add(final int root, final int entry)
    {
        find(root, entry);
        return addHere(root, entry);
    }

    /** Adds an entry that no set has where {@link #find} has found none that is equal; gives the new root. */
    int addHere(final int root, final int entry)
    {
        nodes.reach(entry);
        seed ^= seed << 13;
        seed ^= seed >>> 17;
        seed ^= seed << 5;
        final int[] node = nodes.chunk(entry);
        final int at = nodes.at(entry);
        node[at + LEFT] = NONE;
        node[at + RIGHT] = NONE;
        node[at + PRIORITY] = seed;
        int level = depth;
        while (level > 0 && nodes.get(path[level - 1], PRIORITY) < seed)
        {
            // The entry goes above, and what is between both changes sides.
            level--;
            final int side = sides[level];
            nodes.set(path[level], side, node[at + LEFT + RIGHT - side]);
            node[at + LEFT + RIGHT - side] = path[level];
        }
        return hang(root, level, entry);
    }

    /** Puts an entry below the way of the last search, as it was taken down to a level. */
    private int hang(final int root, final int level, final int entry)
    {
        if (level == 0)
        {
            return entry;
        }
        nodes.set(path[level - 1], sides[level - 1], entry);
        return root;
    }

    /** Removes an entry that the set has; gives the new root. */
    int remove(final int root, final int entry)
    {
        find(root, entry);
        return removeHere(root, entry);
    }

    /** Removes the entry that {@link #find} has found; gives the new root. */
    int removeHere(final int root, final int entry)
    {
        return hang(root, depth, merge(nodes.get(entry, LEFT), nodes.get(entry, RIGHT)));
    }

    private int merge(final int low, final int high)
    {
        if (low == NONE || high == NONE)
        {
            return low == NONE ? high : low;
        }
        if (nodes.get(low, PRIORITY) > nodes.get(high, PRIORITY))
        {
            nodes.set(low, RIGHT, merge(nodes.get(low, RIGHT), high));
            return low;
        }
        nodes.set(high, LEFT, merge(low, nodes.get(high, LEFT)));
        return high;
    }

    /** The entry of a set that compares equal to a probe. */
    int find(final int root, final int probe)
    {
        order.seek(probe);
        depth = 0;
        int entry = root;
        while (entry != NONE)
        {
            final int comparison = order.compareTo(entry);
            if (comparison == 0)
            {
                return entry;
            }
            if (depth == path.length)
            {
                path = Arrays.copyOf(path, depth * 2);
                sides = Arrays.copyOf(sides, depth * 2);
            }
            final int side = comparison < 0 ? LEFT : RIGHT;
            path[depth] = entry;
            sides[depth++] = side;
            entry = nodes.get(entry, side);
        }
        return NONE;
    }

    /** The smallest entry of a set. */
    int first(final int root)
    {
        return end(root, LEFT);
    }

    /** The greatest entry of a set. */
    int last(final int root)
    {
        return end(root, RIGHT);
    }

    private int end(final int root, final int side)
    {
        int entry = NONE;
        for (int each = root; each != NONE; each = nodes.get(each, side))
        {
            entry = each;
        }
        return entry;
    }
}
