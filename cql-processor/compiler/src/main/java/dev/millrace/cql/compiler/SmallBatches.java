package dev.millrace.cql.compiler;

/**
 * Below how many rows a batch goes through a pipeline row by row, and not operator after operator: a fact of the
 * machine, hence one for the process. What is compiled later is given it; what was compiled before keeps
 * its own.
 *
 * <p>Safe for all threads.
 */
public final class SmallBatches
{
    /** What holds until the machine was measured. */
    public static final int DEFAULT_ROWS = 8;
    /** Never more: with so many rows the lists of row numbers always pay. */
    public static final int MAX_ROWS = 32;

    private static volatile int rows = DEFAULT_ROWS;

    private SmallBatches()
    {
    }

    /**
     * The limit for classes made now.
     *
     * @return batches of fewer rows go row by row
     */
    public static int rows()
    {
        return rows;
    }

    /**
     * Sets what was measured.
     *
     * @param measured at least 1 (never row by row), at most {@value #MAX_ROWS}
     * @throws IllegalArgumentException outside of that
     */
    public static void rows(final int measured)
    {
        if (measured < 1 || measured > MAX_ROWS)
        {
            throw new IllegalArgumentException("not a limit of rows: " + measured);
        }
        rows = measured;
    }
}
