package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * Labellings of rows, as nodes in arrays: each node labels one row after those of its parent and holds the registers
 * as of there. Nodes live as long as they are claimed; parents are kept only when all labels are needed.
 *
 * <p>Threads: the engine's.
 */
final class Trails
{
    /** No node: nothing is labelled yet. */
    static final int NONE = -1;

    private static final int FIRST_LENGTH = 16;

    private final int wordsPerNode;
    private final boolean keepsParents;
    private int[] claims = new int[FIRST_LENGTH];
    private int[] parents = new int[FIRST_LENGTH];
    private int[] positions = new int[FIRST_LENGTH];
    private long[] starts = new long[FIRST_LENGTH];
    private long[] ends = new long[FIRST_LENGTH];
    private boolean[] isReported = new boolean[FIRST_LENGTH];
    private long[] words;
    private int used;
    private int firstFree = NONE;
    private int size;

    Trails(final int wordsPerNode, final boolean keepsParents)
    {
        this.wordsPerNode = wordsPerNode;
        this.keepsParents = keepsParents;
        words = new long[wordsPerNode * FIRST_LENGTH];
    }

    /** A node with one claim. */
    int add(final int parent, final int position, final long start, final long end, final long[] registers)
    {
        final int node = take();
        claims[node] = 1;
        positions[node] = position;
        starts[node] = start;
        ends[node] = end;
        isReported[node] = false;
        parents[node] = NONE;
        if (keepsParents && parent != NONE)
        {
            parents[node] = parent;
            claims[parent]++;
        }
        System.arraycopy(registers, 0, words, node * wordsPerNode, wordsPerNode);
        size++;
        return node;
    }

    private int take()
    {
        if (firstFree != NONE)
        {
            final int node = firstFree;
            firstFree = parents[node];
            return node;
        }
        if (used == claims.length)
        {
            final int length = used * 2;
            claims = Arrays.copyOf(claims, length);
            parents = Arrays.copyOf(parents, length);
            positions = Arrays.copyOf(positions, length);
            starts = Arrays.copyOf(starts, length);
            ends = Arrays.copyOf(ends, length);
            isReported = Arrays.copyOf(isReported, length);
            words = Arrays.copyOf(words, length * wordsPerNode);
        }
        return used++;
    }

    void retain(final int node)
    {
        claims[node]++;
    }

    void release(final int node)
    {
        int each = node;
        while (each != NONE && --claims[each] == 0)
        {
            final int parent = parents[each];
            parents[each] = firstFree;
            firstFree = each;
            size--;
            each = parent;
        }
    }

    int size()
    {
        return size;
    }

    int parent(final int node)
    {
        return parents[node];
    }

    int position(final int node)
    {
        return positions[node];
    }

    /** First row. */
    long start(final int node)
    {
        return starts[node];
    }

    /** Last row; before the first for the empty match. */
    long end(final int node)
    {
        return ends[node];
    }

    /** Whether the labelling was put out before; it is from now on. */
    boolean report(final int node)
    {
        final boolean before = isReported[node];
        isReported[node] = true;
        return before;
    }

    /** Array of registers, valid until the next {@link #add}. */
    long[] words()
    {
        return words;
    }

    int base(final int node)
    {
        return node * wordsPerNode;
    }

    void load(final int node, final long[] to)
    {
        System.arraycopy(words, node * wordsPerNode, to, 0, wordsPerNode);
    }

    long word(final int node, final int word)
    {
        return words[node * wordsPerNode + word];
    }

    /** Whether two nodes agree in their first words. */
    boolean isEqual(final int a, final int b, final int count)
    {
        final int baseA = a * wordsPerNode;
        final int baseB = b * wordsPerNode;
        return Arrays.equals(words, baseA, baseA + count, words, baseB, baseB + count);
    }

    long hash(final int node, final int count)
    {
        long hash = 0;
        final int base = node * wordsPerNode;
        for (int i = 0; i < count; i++)
        {
            hash = (hash ^ words[base + i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
