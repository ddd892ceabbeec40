package dev.millrace.cql.runtime;

/**
 * Takes note of rows that a statement had to turn away. The batch goes on without them.
 *
 * <p>Threads: called by the thread that runs the pipeline.
 */
@FunctionalInterface
public interface RowRejection
{
    /** Reason given when an integer or decimal is divided by zero. */
    String DIVISION_BY_ZERO = "division-by-zero";

    /** Reason given when a bounded state has no room for the row. */
    String STATE_FULL = "state-full";

    /** Reason given when the stage that takes a query's rows refuses them. */
    String OUTPUT_REFUSED = "output-refused";

    /**
     * Counts rejected rows.
     *
     * @param rows   how many
     * @param reason one of few short words, fit for a counter's name
     * @param detail what a user needs to find the cause
     */
    void reject(int rows, String reason, String detail);
}
