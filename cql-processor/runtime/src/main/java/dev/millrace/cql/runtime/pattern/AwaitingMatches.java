package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * The matches of a partition that are decided and wait for rows behind them, which measures read with NEXT, and rows
 * without match behind those. They leave in the order in which they were decided.
 *
 * <p>Threads: the engine's. Ownership: claims of nodes are the caller's business.
 */
final class AwaitingMatches
{
    private static final int FIRST_LENGTH = 4;

    private int[] nodes = new int[0];
    private long[] numbers = new long[0];
    private long[] timesNs = new long[0];
    private long[] lastReads = new long[0];
    private int head;
    private int limit;

    /**
     * Adds a match.
     *
     * @param node     labelling; {@link Trails#NONE} for a row without match
     * @param number   number of the match
     * @param timeNs   time of its rows
     * @param lastRead youngest row that it reads
     */
    void add(final int node, final long number, final long timeNs, final long lastRead)
    {
        if (limit == nodes.length)
        {
            makeRoom();
        }
        nodes[limit] = node;
        numbers[limit] = number;
        timesNs[limit] = timeNs;
        lastReads[limit++] = lastRead;
    }

    private void makeRoom()
    {
        final int size = size();
        final int from = head;
        final int length = nodes.length == 0 || size * 2 > nodes.length ? Math.max(FIRST_LENGTH, size * 2) :
            nodes.length;
        nodes = Arrays.copyOf(Arrays.copyOfRange(nodes, from, limit), length);
        numbers = Arrays.copyOf(Arrays.copyOfRange(numbers, from, limit), length);
        timesNs = Arrays.copyOf(Arrays.copyOfRange(timesNs, from, limit), length);
        lastReads = Arrays.copyOf(Arrays.copyOfRange(lastReads, from, limit), length);
        head = 0;
        limit = size;
    }

    int size()
    {
        return limit - head;
    }

    int node(final int index)
    {
        return nodes[head + index];
    }

    /** Number of the first. */
    long number()
    {
        return numbers[head];
    }

    /** Time of the first. */
    long timeNs()
    {
        return timesNs[head];
    }

    /** Youngest row that the first reads. */
    long lastRead()
    {
        return lastReads[head];
    }

    long lastRead(final int index)
    {
        return lastReads[head + index];
    }

    void removeFirst()
    {
        head++;
        if (head == limit)
        {
            head = 0;
            limit = 0;
        }
    }
}
