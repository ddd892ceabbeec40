package dev.millrace.cql.runtime.function;

/**
 * An aggregate over the rows of one group, implemented by libraries and users.
 *
 * <p>Not thread-safe. Ownership: an instance belongs to one group. Failure: a row whose call throws is rejected.
 */
public interface GroupAggregate
{
    /** Discards all rows. */
    void reset();

    /**
     * Adds a row.
     *
     * @param arguments boxed values, {@code null} for null; lent
     */
    void plus(Object[] arguments);

    /**
     * Adds a row that can be distinguished from equal ones.
     *
     * @param arguments boxed values, {@code null} for null; lent
     * @param row       a number that no other row has while this one is part of the aggregate
     */
    default void plus(final Object[] arguments, final int row)
    {
        plus(arguments);
    }

    /**
     * Removes a row that can be distinguished from equal ones. Called only when {@link #isIncremental()}.
     *
     * @param arguments the same as for {@link #plus}; lent
     * @param row       its number; an unknown number means any row with these arguments
     */
    default void minus(final Object[] arguments, final int row)
    {
        minus(arguments);
    }

    /**
     * Removes a row. Called only when {@link #isIncremental()}; otherwise the remaining rows are added again after
     * {@link #reset()}.
     *
     * @param arguments the same as for {@link #plus}; lent
     */
    default void minus(final Object[] arguments)
    {
        throw new UnsupportedOperationException("minus of an aggregate that is not incremental");
    }

    /**
     * Whether rows can be removed.
     *
     * @return false when the value must be recomputed from all rows
     */
    default boolean isIncremental()
    {
        return false;
    }

    /**
     * The current value.
     *
     * @return boxed value of the declared type, or {@code null}
     */
    Object value();
}
