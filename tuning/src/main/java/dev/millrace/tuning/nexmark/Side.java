package dev.millrace.tuning.nexmark;

import java.util.stream.IntStream;

/** The table that query 13 reads: numbers from 0 on, a text each. */
public final class Side
{
    /** Rows. */
    public static final int SIZE = 10_000;

    private Side()
    {
    }

    /** Texts of the rows in order. */
    public static String[] values()
    {
        return IntStream.range(0, SIZE).mapToObj(i -> "side-" + i).toArray(String[]::new);
    }
}
