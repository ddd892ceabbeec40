package dev.millrace.cql.runtime.flow;

/**
 * An aggregate over the rows of one group, as libraries and users write it.
 *
 * <p>Threads: one. Ownership: an instance belongs to one group. Failure: whatever it throws rejects the row.
 */
public interface AggregateFunction
{
    /** Forgets all rows. */
    void reset();

    /**
     * Takes a row in.
     *
     * @param arguments boxed values, {@code null} for null; lent
     */
    void plus(Object[] arguments);

    /**
     * Takes a row in that can be told apart from equal ones.
     *
     * @param arguments boxed values, {@code null} for null; lent
     * @param row       a number that no other row has while this one is in
     */
    default void plus(final Object[] arguments, final int row)
    {
        plus(arguments);
    }

    /**
     * Takes a row out that can be told apart from equal ones. Called only when {@link #isIncremental()}.
     *
     * @param arguments as they were given to {@link #plus}; lent
     * @param row       its number; an unknown one stands for any row of these arguments
     */
    default void minus(final Object[] arguments, final int row)
    {
        minus(arguments);
    }

    /**
     * Takes a row out. Called only when {@link #isIncremental()}; otherwise the remaining rows are given again after
     * {@link #reset()}.
     *
     * @param arguments as they were given to {@link #plus}; lent
     */
    default void minus(final Object[] arguments)
    {
        throw new UnsupportedOperationException("minus of an aggregate that is not incremental");
    }

    /**
     * Whether rows can be taken out.
     *
     * @return false when the value must be computed anew
     */
    default boolean isIncremental()
    {
        return false;
    }

    /**
     * The value now.
     *
     * @return boxed value of the declared type, or {@code null}
     */
    Object value();
}
