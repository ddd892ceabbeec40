package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * The complete matches of a partition that wait for older starts, as a step meets them: they say whether a younger
 * start may be represented by an equal run of an older one. It may not when a waiting match covers the older start but
 * ends before the younger one: the older run goes with that match, the younger one stays.
 *
 * <p>Threads: the engine's.
 */
final class WaitingMatches
{
    private static final int FIRST_LENGTH = 4;

    private long[] starts = new long[FIRST_LENGTH];
    private long[] ends = new long[FIRST_LENGTH];
    private int size;

    void clear()
    {
        size = 0;
    }

    void add(final long start, final long end)
    {
        if (size == starts.length)
        {
            starts = Arrays.copyOf(starts, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
        }
        starts[size] = start;
        ends[size++] = end;
    }

    /** Whether what becomes of the older start is all that may become of the younger one. */
    boolean sharesFate(final long older, final long younger)
    {
        for (int i = 0; i < size; i++)
        {
            if (starts[i] < older && ends[i] >= older && ends[i] < younger)
            {
                return false;
            }
        }
        return true;
    }
}
