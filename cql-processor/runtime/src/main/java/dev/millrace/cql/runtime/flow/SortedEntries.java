package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * Sorted sets of entries, any number of sets side by side in the same arrays; an entry is in one set at a time. A set
 * is known by its root, which each change may replace. Treaps: O(log n) a change, nothing is allocated but for growth.
 *
 * <p>Threads: the engine's.
 */
final class SortedEntries
{
    /** No entry; also the root of an empty set. */
    static final int NONE = -1;

    private static final int FIRST_LENGTH = 16;

    private final Order order;
    private int[] left = new int[FIRST_LENGTH];
    private int[] right = new int[FIRST_LENGTH];
    private int[] priorities = new int[FIRST_LENGTH];
    private int seed = 0x2545F491;

    /** Order of entries. */
    interface Order
    {
        /** Negative, 0 or positive; 0 only for the same entry, or for an equal one that is looked for. */
        int compare(int a, int b);
    }

    SortedEntries(final Order order)
    {
        this.order = order;
    }

    /** Adds an entry that no set has; gives the new root. */
    int add(final int root, final int entry)
    {
        if (entry >= left.length)
        {
            final int length = Math.max(entry + 1, left.length * 2);
            left = Arrays.copyOf(left, length);
            right = Arrays.copyOf(right, length);
            priorities = Arrays.copyOf(priorities, length);
        }
        seed ^= seed << 13;
        seed ^= seed >>> 17;
        seed ^= seed << 5;
        left[entry] = NONE;
        right[entry] = NONE;
        priorities[entry] = seed;
        return insert(root, entry);
    }

    private int insert(final int root, final int entry)
    {
        if (root == NONE)
        {
            return entry;
        }
        if (order.compare(entry, root) < 0)
        {
            left[root] = insert(left[root], entry);
            return priorities[left[root]] > priorities[root] ? rotateRight(root) : root;
        }
        right[root] = insert(right[root], entry);
        return priorities[right[root]] > priorities[root] ? rotateLeft(root) : root;
    }

    private int rotateRight(final int root)
    {
        final int top = left[root];
        left[root] = right[top];
        right[top] = root;
        return top;
    }

    private int rotateLeft(final int root)
    {
        final int top = right[root];
        right[root] = left[top];
        left[top] = root;
        return top;
    }

    /** Removes an entry that the set has; gives the new root. */
    int remove(final int root, final int entry)
    {
        if (root == entry)
        {
            return merge(left[root], right[root]);
        }
        if (order.compare(entry, root) < 0)
        {
            left[root] = remove(left[root], entry);
        }
        else
        {
            right[root] = remove(right[root], entry);
        }
        return root;
    }

    private int merge(final int low, final int high)
    {
        if (low == NONE || high == NONE)
        {
            return low == NONE ? high : low;
        }
        if (priorities[low] > priorities[high])
        {
            right[low] = merge(right[low], high);
            return low;
        }
        left[high] = merge(low, left[high]);
        return high;
    }

    /** The entry of a set that compares equal to a probe, which no set has. */
    int find(final int root, final int probe)
    {
        int entry = root;
        while (entry != NONE)
        {
            final int side = order.compare(probe, entry);
            if (side == 0)
            {
                return entry;
            }
            entry = side < 0 ? left[entry] : right[entry];
        }
        return NONE;
    }

    /** The smallest entry of a set. */
    int first(final int root)
    {
        int entry = root;
        while (entry != NONE && left[entry] != NONE)
        {
            entry = left[entry];
        }
        return entry;
    }

    /** The greatest entry of a set. */
    int last(final int root)
    {
        int entry = root;
        while (entry != NONE && right[entry] != NONE)
        {
            entry = right[entry];
        }
        return entry;
    }
}
