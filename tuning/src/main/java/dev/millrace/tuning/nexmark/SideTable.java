package dev.millrace.tuning.nexmark;

import java.util.stream.IntStream;

/** The table that query 13 reads: a string for each number from 0 on. */
public final class SideTable
{
    /** Number of rows. */
    public static final int SIZE = 10_000;

    private SideTable()
    {
    }

    /** Strings of the rows in order. */
    public static String[] values()
    {
        return IntStream.range(0, SIZE).mapToObj(i -> "side-" + i).toArray(String[]::new);
    }
}
