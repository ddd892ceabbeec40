package dev.millrace.cql.processor.worker;

/**
 * Estimates how long a worker takes for rows, or for the passage of time alone: the minimum of the last few batches,
 * since other threads may have used the processor in between. Measures one run of eight, because reading the clock
 * costs as much as some rows.
 *
 * <p>Threads: written by the current worker, read by the source.
 */
final class BatchDurationEstimate
{
    private static final int RUNS = 8;
    private static final int FEW = 4;
    /** No measurement exists for the first rows, so they may take long. */
    private static final double UNKNOWN_NS = 1_000_000;

    private volatile double rowNs = UNKNOWN_NS;
    private double least = Double.MAX_VALUE;
    private int measured;
    private int runs;

    /** Whether to measure the next run. */
    boolean isNext()
    {
        runs = runs + 1 & RUNS - 1;
        return runs == 0;
    }

    /**
     * Records a measured run.
     *
     * @param ns   duration of the run
     * @param rows number of rows, or 1 for time alone
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
     * The expected duration of a batch in nanoseconds.
     *
     * @param rows number of rows, or 1 for time alone
     */
    long expectedNs(final int rows)
    {
        return (long)(rowNs * rows);
    }
}
