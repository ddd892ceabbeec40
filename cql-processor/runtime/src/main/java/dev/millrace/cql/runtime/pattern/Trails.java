package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotLongs;
import java.util.Arrays;

/**
 * Labellings of rows, as nodes: each node labels one row after those of its parent and holds the registers
 * as of there. Nodes live as long as they are claimed; parents are kept only when all labels are needed.
 *
 * <p>Threads: the engine's.
 */
final class Trails
{
    /** No node: nothing is labelled yet. */
    static final int NONE = -1;

    private static final int CLAIMS = 0;
    private static final int PARENT = 1;
    private static final int POSITION = 2;
    private static final int REPORTED = 3;
    private static final int NODE_INTS = 4;
    /** First and last row come before the registers. */
    private static final int START = 0;
    private static final int END = 1;
    private static final int REGISTERS = 2;

    private final int wordsPerNode;
    private final boolean keepsParents;
    private final SlotInts nodes;
    private final SlotLongs words;
    private int used;
    private int firstFree = NONE;
    private int size;

    /** Makes an empty slab of nodes, which is charged to {@code memory}. */
    Trails(final int wordsPerNode, final boolean keepsParents, final MemoryAccount memory)
    {
        nodes = new SlotInts(NODE_INTS, 0, memory);
        this.wordsPerNode = wordsPerNode;
        this.keepsParents = keepsParents;
        words = new SlotLongs(REGISTERS + wordsPerNode, memory);
    }

    /** A node with one claim. */
    int add(final int parent, final int position, final long start, final long end, final long[] registers)
    {
        final int node = take();
        final boolean hasParent = keepsParents && parent != NONE;
        final int[] ints = nodes.chunk(node);
        final int at = nodes.at(node);
        ints[at + CLAIMS] = 1;
        ints[at + PARENT] = hasParent ? parent : NONE;
        ints[at + POSITION] = position;
        ints[at + REPORTED] = 0;
        if (hasParent)
        {
            retain(parent);
        }
        final long[] longs = words.chunk(node);
        final int from = words.at(node);
        longs[from + START] = start;
        longs[from + END] = end;
        System.arraycopy(registers, 0, longs, from + REGISTERS, wordsPerNode);
        size++;
        return node;
    }

    private int take()
    {
        if (firstFree != NONE)
        {
            final int node = firstFree;
            firstFree = nodes.get(node, PARENT);
            return node;
        }
        nodes.reach(used);
        words.reach(used);
        return used++;
    }

    void retain(final int node)
    {
        nodes.chunk(node)[nodes.at(node) + CLAIMS]++;
    }

    void release(final int node)
    {
        int each = node;
        while (each != NONE && --nodes.chunk(each)[nodes.at(each) + CLAIMS] == 0)
        {
            final int parent = nodes.get(each, PARENT);
            nodes.set(each, PARENT, firstFree);
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
        return nodes.get(node, PARENT);
    }

    int position(final int node)
    {
        return nodes.get(node, POSITION);
    }

    /** First row. */
    long start(final int node)
    {
        return words.get(node, START);
    }

    /** Last row; before the first for the empty match. */
    long end(final int node)
    {
        return words.get(node, END);
    }

    /** Whether the labelling was put out before; it is from now on. */
    boolean report(final int node)
    {
        final boolean before = nodes.get(node, REPORTED) != 0;
        nodes.set(node, REPORTED, 1);
        return before;
    }

    void load(final int node, final long[] to)
    {
        System.arraycopy(words.chunk(node), words.at(node) + REGISTERS, to, 0, wordsPerNode);
    }

    long word(final int node, final int word)
    {
        return words.get(node, REGISTERS + word);
    }

    /** Whether two nodes agree in their first words. */
    boolean isEqual(final int a, final int b, final int count)
    {
        final int fromA = words.at(a) + REGISTERS;
        final int fromB = words.at(b) + REGISTERS;
        return Arrays.equals(words.chunk(a), fromA, fromA + count, words.chunk(b), fromB, fromB + count);
    }

    long hash(final int node, final int count)
    {
        long hash = 0;
        final long[] longs = words.chunk(node);
        final int from = words.at(node) + REGISTERS;
        for (int i = 0; i < count; i++)
        {
            hash = (hash ^ longs[from + i]) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
