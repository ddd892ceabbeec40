package dev.millrace.api.function;

/**
 * An aggregate over the rows of one group.
 *
 * <p>Threads: one at a time. Failure: whatever it throws rejects the row, which is counted and logged with the name of
 * the function; the query goes on.
 */
public interface AggregateFunction
{
    /** Forgets all rows. Called first. */
    void handleReset();

    /**
     * A row enters the group.
     *
     * @param arguments what the rule passes, boxed; {@code null} for a null; lent
     */
    void handlePlus(Object[] arguments);

    /**
     * A row leaves the group. Called only when the factory says that its functions are incremental; otherwise the rows
     * that are left are given again after {@link #handleReset()}.
     *
     * @param arguments equal to those with which the row entered; lent
     */
    default void handleMinus(final Object[] arguments)
    {
        throw new UnsupportedOperationException("an incremental aggregate must implement handleMinus, class=" +
            getClass().getName());
    }

    /**
     * The value over the rows that are in.
     *
     * @return an object of the factory's result type, or {@code null}
     */
    Object value();
}
