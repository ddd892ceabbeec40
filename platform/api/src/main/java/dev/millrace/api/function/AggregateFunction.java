package dev.millrace.api.function;

/**
 * An aggregate over the rows of one group.
 *
 * <p>Not thread-safe. Failure: any exception rejects the row, which is counted and logged with the name of the
 * function; the query continues.
 */
public interface AggregateFunction
{
    /** Removes all rows. Called first. */
    void handleReset();

    /**
     * Adds a row to the group.
     *
     * @param arguments arguments of the rule, boxed; {@code null} for a null; valid only during the call
     */
    void handlePlus(Object[] arguments);

    /**
     * Removes a row from the group. Called only when the factory declares its functions incremental; otherwise the
     * remaining rows are added again after {@link #handleReset()}.
     *
     * @param arguments equal to those with which the row was added; valid only during the call
     */
    default void handleMinus(final Object[] arguments)
    {
        throw new UnsupportedOperationException("an incremental aggregate must implement handleMinus, class=" +
            getClass().getName());
    }

    /**
     * Returns the value over the rows of the group.
     *
     * @return an object of the factory's result type, or {@code null}
     */
    Object value();
}
