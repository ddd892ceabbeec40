package dev.millrace.cql.processor;

/**
 * How long rows take that a worker runs, or time alone: the least of the last few batches, since others may have had
 * the processor meanwhile. Looks at one run of eight, for the clock costs as much as some rows.
 *
 * <p>Threads: written by the worker of the moment, read by the source.
 */
final class RunTime
{
    private static final int RUNS = 8;
    private static final int FEW = 4;
    /** Nothing is known of the first rows, so they may take long. */
    private static final double UNKNOWN_NS = 1_000_000;

    private volatile double rowNs = UNKNOWN_NS;
    private double least = Double.MAX_VALUE;
    private int measured;
    private int runs;

    /** Whether the run that begins is to be measured. */
    boolean isNext()
    {
        runs = runs + 1 & RUNS - 1;
        return runs == 0;
    }

    /**
     * Takes note of a run.
     *
     * @param ns   it took
     * @param rows of it, or 1 for time alone
     */
    void took(final long ns, final int rows)
    {
        least = Math.min(least, (double)ns / rows);
        if (++measured == FEW)
        {
            rowNs = least;
            least = Double.MAX_VALUE;
            measured = 0;
        }
    }

    /**
     * How long a batch is likely to take.
     *
     * @param rows of it, or 1 for time alone
     * @return nanoseconds
     */
    long expectedNs(final int rows)
    {
        return (long)(rowNs * rows);
    }
}
