package dev.millrace.cql.runtime;

/**
 * Receives the rows that a statement rejects. The rest of the batch is processed.
 *
 * <p>Called by the thread that runs the pipeline.
 */
@FunctionalInterface
public interface RejectionHandler
{
    /** Reason when an integer or decimal is divided by zero. */
    String DIVISION_BY_ZERO = "division-by-zero";

    /** Reason when bounded state has no capacity for the row. */
    String STATE_FULL = "state-full";

    /** Reason for a delete or update of a row that the relation does not have. */
    String MISSING_ROW = "missing-row";

    /** Reason when an aggregate function fails to accept a row or to compute its value. */
    String AGGREGATE_FAILED = "aggregate-failed";

    /** Reason when looking up rows of a table or cache fails. */
    String PULL_FAILED = "pull-failed";

    /** Reason when a user-defined window fails. */
    String WINDOW_FAILED = "window-failed";

    /** Reason when the column that specifies how long a row stays in its window is null. */
    String NO_WINDOW_END = "window-column-null";

    /** Reason when, in a window over values, the value of a row is less than that of its predecessor. */
    String OUT_OF_ORDER = "window-column-decreases";

    /** Reason when the stage that receives the output of a query refuses it. */
    String OUTPUT_REFUSED = "output-refused";

    /**
     * Counts rejected rows.
     *
     * @param rows   number of rows
     * @param reason one of few short words, usable as the name of a counter
     * @param detail for the user, to find the cause
     */
    void reject(int rows, String reason, String detail);
}
