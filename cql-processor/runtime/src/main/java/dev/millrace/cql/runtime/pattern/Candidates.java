package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * What a partition holds: a window of its last rows, and in order of preference the runs that go on and the matches
 * that are complete ("done"). Runs of an older start come before those of a younger one. Used again for other
 * partitions. Arrays of runs are written anew at each row, so that making them longer adds no work of another order.
 *
 * <p>Threads: the engine's. Ownership: claims of rows and nodes are the caller's business.
 */
final class Candidates
{
    /** Position of an entry that is a complete match. */
    static final int DONE = -2;

    /** No start. */
    static final long NO_START = Long.MAX_VALUE;

    private static final int FIRST_LENGTH = 4;

    private final PartitionRows rows = new PartitionRows();

    private int[] positions = new int[FIRST_LENGTH];
    private int[] nodes = new int[FIRST_LENGTH];
    private int head;
    private int limit;

    private final PendingReports pending = new PendingReports();
    private final AwaitingMatches awaiting = new AwaitingMatches();
    private long scan;
    private long lastMatched;
    private long matches;

    Candidates()
    {
        reset();
    }

    /** Makes it empty; row numbers go on, so that nobody takes an old one for a new one. */
    void reset()
    {
        rows.reset();
        head = 0;
        limit = 0;
        scan = rows.next();
        lastMatched = rows.next() - 1;
        matches = 0;
    }

    // Rows, numbered in order of arrival.

    long append(final int row, final int argumentRow, final long timeNs, final long arrival)
    {
        return rows.append(row, argumentRow, timeNs, arrival);
    }

    /** Forgets the youngest row. */
    void dropLast()
    {
        rows.dropLast();
    }

    /** Forgets the oldest row. */
    void dropFirst()
    {
        rows.dropFirst();
    }

    long base()
    {
        return rows.base();
    }

    long next()
    {
        return rows.next();
    }

    boolean holds(final long sequence)
    {
        return rows.holds(sequence);
    }

    int row(final long sequence)
    {
        return rows.row(sequence);
    }

    int argumentRow(final long sequence)
    {
        return rows.argumentRow(sequence);
    }

    long timeNs(final long sequence)
    {
        return rows.timeNs(sequence);
    }

    long arrival(final long sequence)
    {
        return rows.arrival(sequence);
    }

    // Entries.

    int head()
    {
        return head;
    }

    int limit()
    {
        return limit;
    }

    boolean isEmpty()
    {
        return head == limit;
    }

    int position(final int entry)
    {
        return positions[entry];
    }

    int node(final int entry)
    {
        return nodes[entry];
    }

    boolean isDone(final int entry)
    {
        return positions[entry] == DONE;
    }

    void removeHead()
    {
        head++;
    }

    void keep(final int entry, final int as)
    {
        positions[as] = positions[entry];
        nodes[as] = nodes[entry];
    }

    void limit(final int newLimit)
    {
        limit = newLimit;
    }

    /** Puts other entries in place of all. */
    void replace(final int[] newPositions, final int[] newNodes, final int count)
    {
        if (positions.length < count)
        {
            positions = new int[Math.max(count, positions.length * 2)];
            nodes = new int[positions.length];
        }
        System.arraycopy(newPositions, 0, positions, 0, count);
        System.arraycopy(newNodes, 0, nodes, 0, count);
        head = 0;
        limit = count;
    }

    // What was decided.

    PendingReports pending()
    {
        return pending;
    }

    AwaitingMatches awaiting()
    {
        return awaiting;
    }

    /** First row about which nothing is decided. */
    long scan()
    {
        return scan;
    }

    void scan(final long sequence)
    {
        scan = Math.max(scan, sequence);
    }

    /** Last row that belongs to a match. */
    long lastMatched()
    {
        return lastMatched;
    }

    void matched(final long sequence)
    {
        lastMatched = Math.max(lastMatched, sequence);
    }

    long nextMatch()
    {
        return ++matches;
    }

    /** Gives memory back that a burst has taken. */
    boolean isLarge(final int most)
    {
        return rows.capacity() > most || positions.length > most;
    }

    @Override
    public String toString()
    {
        return "Candidates[rows=" + rows + " positions=" +
            Arrays.toString(Arrays.copyOfRange(positions, head, limit)) + ']';
    }

    /** Reports of younger starts that wait until an older one is decided (DURATION MULTIPLES OF). */
    static final class PendingReports
    {
        private long[] starts = new long[0];
        private long[] timesNs = new long[0];
        private long[] limits = new long[0];
        private int[] nodes = new int[0];
        private int size;

        void add(final long start, final long timeNs, final long limit, final int node)
        {
            if (size == starts.length)
            {
                final int length = Math.max(FIRST_LENGTH, size * 2);
                starts = Arrays.copyOf(starts, length);
                timesNs = Arrays.copyOf(timesNs, length);
                limits = Arrays.copyOf(limits, length);
                nodes = Arrays.copyOf(nodes, length);
            }
            starts[size] = start;
            timesNs[size] = timeNs;
            limits[size] = limit;
            nodes[size++] = node;
        }

        int size()
        {
            return size;
        }

        long start(final int index)
        {
            return starts[index];
        }

        long timeNs(final int index)
        {
            return timesNs[index];
        }

        long limit(final int index)
        {
            return limits[index];
        }

        int node(final int index)
        {
            return nodes[index];
        }

        void keep(final int index, final int as)
        {
            starts[as] = starts[index];
            timesNs[as] = timesNs[index];
            limits[as] = limits[index];
            nodes[as] = nodes[index];
        }

        void size(final int newSize)
        {
            size = newSize;
        }
    }
}
