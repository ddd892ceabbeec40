package dev.millrace.api.oep;

/** An aggregate over the rows of one group. Not thread-safe. Failure: an exception rejects the row. */
public interface AggregationFunction
{
    /** Removes all rows. Called first. */
    void initialize();

    /**
     * Adds a row to the group.
     *
     * @param params arguments of the rule, boxed; valid only during the call
     * @return the value over the rows of the group
     */
    Object handlePlus(Object[] params);

    /**
     * Removes a row from the group.
     *
     * @param params equal to those with which the row was added; valid only during the call
     * @return the value over the remaining rows
     */
    Object handleMinus(Object[] params);
}
