package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;
import java.util.Arrays;

/**
 * Partial and complete matches of one partition in order of preference, those of an older start first: where each
 * stands in the pattern, when it began, and the rows that its measures will read. Used again for other partitions.
 *
 * <p>Threads: the engine's. Ownership: claims of rows are taken and given back for all of them at once.
 */
final class LocalRuns
{
    /** Position of a match that is complete. */
    static final int DONE = -2;
    /** A register whose variable has had no row yet. */
    static final int UNSET = -2;

    private static final int START = 0;
    private static final int START_TIME = 1;
    private static final int END = 2;
    private static final int END_TIME = 3;
    private static final int LONGS = 4;

    /** Position and registers. */
    private final int intsPerRun;
    /** Of all runs, one after the other: most partitions have one or none, so that there is room for one at first. */
    private int[] ints;
    private long[] longs = new long[LONGS];
    private int size;

    LocalRuns(final int registersPerRun)
    {
        intsPerRun = 1 + registersPerRun;
        ints = new int[intsPerRun];
    }

    int size()
    {
        return size;
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    boolean isLarge(final int most)
    {
        return longs.length > most * LONGS;
    }

    int position(final int run)
    {
        return ints[run * intsPerRun];
    }

    boolean isDone(final int run)
    {
        return ints[run * intsPerRun] == DONE;
    }

    /** Arrival of its first row, which tells starts apart. */
    long start(final int run)
    {
        return longs[run * LONGS + START];
    }

    long startTimeNs(final int run)
    {
        return longs[run * LONGS + START_TIME];
    }

    /** Arrival of its last row; of complete matches only. */
    long end(final int run)
    {
        return longs[run * LONGS + END];
    }

    /** Time of its last row; of complete matches only. */
    long endTimeNs(final int run)
    {
        return longs[run * LONGS + END_TIME];
    }

    int register(final int run, final int register)
    {
        return ints[run * intsPerRun + 1 + register];
    }

    void register(final int run, final int register, final int row)
    {
        ints[run * intsPerRun + 1 + register] = row;
    }

    /** Adds a run of a new start. */
    int begin(final int position, final long start, final long timeNs)
    {
        final int run = reserve();
        final int base = run * intsPerRun;
        ints[base] = position;
        Arrays.fill(ints, base + 1, base + intsPerRun, UNSET);
        longs[run * LONGS + START] = start;
        longs[run * LONGS + START_TIME] = timeNs;
        return run;
    }

    /** Adds a copy of a run, which may stand elsewhere. */
    int copy(final LocalRuns from, final int other, final int position)
    {
        final int run = reserve();
        for (int i = 0; i < LONGS; i++)
        {
            longs[run * LONGS + i] = from.longs[other * LONGS + i];
        }
        final int base = run * intsPerRun;
        final int otherBase = other * intsPerRun;
        for (int i = 1; i < intsPerRun; i++)
        {
            ints[base + i] = from.ints[otherBase + i];
        }
        ints[base] = position;
        return run;
    }

    private int reserve()
    {
        if (size * LONGS == longs.length)
        {
            longs = Arrays.copyOf(longs, longs.length * 2);
            ints = Arrays.copyOf(ints, ints.length * 2);
        }
        return size++;
    }

    void done(final int run, final long end, final long timeNs)
    {
        ints[run * intsPerRun] = DONE;
        longs[run * LONGS + END] = end;
        longs[run * LONGS + END_TIME] = timeNs;
    }

    /** Forgets all runs; claims are the caller's business. */
    void clear()
    {
        size = 0;
    }

    /** Forgets the last run; claims are the caller's business. */
    void dropLast()
    {
        size--;
    }

    /** Forgets the runs of some starts, {@code from} to before {@code to}, and gives their rows back. */
    void drop(final RowStore rows, final long from, final long to, final boolean onlyUndone)
    {
        int kept = 0;
        for (int i = 0; i < size; i++)
        {
            if (start(i) >= from && start(i) < to && (!onlyUndone || !isDone(i)))
            {
                release(rows, i);
            }
            else
            {
                move(i, kept++);
            }
        }
        size = kept;
    }

    private void move(final int from, final int to)
    {
        if (from != to)
        {
            System.arraycopy(longs, from * LONGS, longs, to * LONGS, LONGS);
            System.arraycopy(ints, from * intsPerRun, ints, to * intsPerRun, intsPerRun);
        }
    }

    /** Claims the rows of all runs. */
    void retainAll(final RowStore rows)
    {
        for (int run = 0; run < size; run++)
        {
            for (int i = run * intsPerRun + 1; i < (run + 1) * intsPerRun; i++)
            {
                if (ints[i] >= 0)
                {
                    rows.retain(ints[i]);
                }
            }
        }
    }

    /** Gives the rows of all runs back. */
    void releaseAll(final RowStore rows)
    {
        for (int run = 0; run < size; run++)
        {
            release(rows, run);
        }
    }

    private void release(final RowStore rows, final int run)
    {
        for (int i = run * intsPerRun + 1; i < (run + 1) * intsPerRun; i++)
        {
            if (ints[i] >= 0)
            {
                rows.release(ints[i]);
            }
        }
    }
}
