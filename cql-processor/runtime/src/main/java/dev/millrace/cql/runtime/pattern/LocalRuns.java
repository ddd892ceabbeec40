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

    private static final int FIRST_LENGTH = 4;

    private final int registersPerRun;
    private int[] positions = new int[FIRST_LENGTH];
    private long[] starts = new long[FIRST_LENGTH];
    private long[] startTimesNs = new long[FIRST_LENGTH];
    private long[] ends = new long[FIRST_LENGTH];
    private long[] endTimesNs = new long[FIRST_LENGTH];
    private int[] registers;
    private int size;

    LocalRuns(final int registersPerRun)
    {
        this.registersPerRun = registersPerRun;
        registers = new int[FIRST_LENGTH * registersPerRun];
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
        return positions.length > most;
    }

    int position(final int run)
    {
        return positions[run];
    }

    boolean isDone(final int run)
    {
        return positions[run] == DONE;
    }

    /** Arrival of its first row, which tells starts apart. */
    long start(final int run)
    {
        return starts[run];
    }

    long startTimeNs(final int run)
    {
        return startTimesNs[run];
    }

    /** Arrival of its last row; of complete matches only. */
    long end(final int run)
    {
        return ends[run];
    }

    /** Time of its last row; of complete matches only. */
    long endTimeNs(final int run)
    {
        return endTimesNs[run];
    }

    int register(final int run, final int register)
    {
        return registers[run * registersPerRun + register];
    }

    void register(final int run, final int register, final int row)
    {
        registers[run * registersPerRun + register] = row;
    }

    /** Adds a run of a new start. */
    int begin(final int position, final long start, final long timeNs)
    {
        final int run = reserve();
        positions[run] = position;
        starts[run] = start;
        startTimesNs[run] = timeNs;
        Arrays.fill(registers, run * registersPerRun, (run + 1) * registersPerRun, UNSET);
        return run;
    }

    /** Adds a copy of a run, which may stand elsewhere. */
    int copy(final LocalRuns from, final int other, final int position)
    {
        final int run = reserve();
        positions[run] = position;
        starts[run] = from.starts[other];
        startTimesNs[run] = from.startTimesNs[other];
        ends[run] = from.ends[other];
        endTimesNs[run] = from.endTimesNs[other];
        final int base = run * registersPerRun;
        final int otherBase = other * registersPerRun;
        for (int i = 0; i < registersPerRun; i++)
        {
            registers[base + i] = from.registers[otherBase + i];
        }
        return run;
    }

    private int reserve()
    {
        if (size == positions.length)
        {
            final int length = size * 2;
            positions = Arrays.copyOf(positions, length);
            starts = Arrays.copyOf(starts, length);
            startTimesNs = Arrays.copyOf(startTimesNs, length);
            ends = Arrays.copyOf(ends, length);
            endTimesNs = Arrays.copyOf(endTimesNs, length);
            registers = Arrays.copyOf(registers, length * registersPerRun);
        }
        return size++;
    }

    void done(final int run, final long end, final long timeNs)
    {
        positions[run] = DONE;
        ends[run] = end;
        endTimesNs[run] = timeNs;
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
            if (starts[i] >= from && starts[i] < to && (!onlyUndone || positions[i] != DONE))
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
        if (from == to)
        {
            return;
        }
        positions[to] = positions[from];
        starts[to] = starts[from];
        startTimesNs[to] = startTimesNs[from];
        ends[to] = ends[from];
        endTimesNs[to] = endTimesNs[from];
        System.arraycopy(registers, from * registersPerRun, registers, to * registersPerRun, registersPerRun);
    }

    /** Claims the rows of all runs. */
    void retainAll(final RowStore rows)
    {
        for (int i = size * registersPerRun - 1; i >= 0; i--)
        {
            if (registers[i] >= 0)
            {
                rows.retain(registers[i]);
            }
        }
    }

    /** Gives the rows of all runs back. */
    void releaseAll(final RowStore rows)
    {
        for (int i = size * registersPerRun - 1; i >= 0; i--)
        {
            if (registers[i] >= 0)
            {
                rows.release(registers[i]);
            }
        }
    }

    private void release(final RowStore rows, final int run)
    {
        for (int i = run * registersPerRun; i < (run + 1) * registersPerRun; i++)
        {
            if (registers[i] >= 0)
            {
                rows.release(registers[i]);
            }
        }
    }
}
