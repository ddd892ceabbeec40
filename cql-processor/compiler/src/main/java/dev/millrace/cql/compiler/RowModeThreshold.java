package dev.millrace.cql.compiler;

/**
 * The number of rows below which a batch is processed row by row instead of operator by operator. It is a property of
 * the machine, hence one value per process. Classes compiled later use a new value; existing classes keep theirs.
 *
 * <p>Thread-safe.
 */
public final class RowModeThreshold
{
    /** Value until the machine was measured. */
    public static final int DEFAULT_ROWS = 8;
    /** Upper limit: with so many rows, lists of row numbers always pay off. */
    public static final int MAX_ROWS = 32;

    private static volatile int rows = DEFAULT_ROWS;

    private RowModeThreshold()
    {
    }

    /** The limit for classes compiled now: batches of fewer rows are processed row by row. */
    public static int rows()
    {
        return rows;
    }

    /**
     * Sets the measured limit.
     *
     * @param measured at least 1 (never row by row), at most {@value #MAX_ROWS}
     * @throws IllegalArgumentException when it is out of range
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
