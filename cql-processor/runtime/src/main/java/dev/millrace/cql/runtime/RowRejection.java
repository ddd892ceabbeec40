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

    /** Reason given for a delete or update of a row of a relation that is not there. */
    String MISSING_ROW = "missing-row";

    /** Reason given when a function cannot take a row, or its value cannot be told. */
    String AGGREGATE_FAILED = "aggregate-failed";

    /** Reason given when what is asked for rows of a table or cache fails. */
    String PULL_FAILED = "pull-failed";

    /** Reason given when a user's window fails. */
    String WINDOW_FAILED = "window-failed";

    /** Reason given when nothing says how long a row stays in its window. */
    String NO_WINDOW_END = "window-column-null";

    /** Reason given when the value of a row is less than that before it in a window over values. */
    String OUT_OF_ORDER = "window-column-decreases";

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
