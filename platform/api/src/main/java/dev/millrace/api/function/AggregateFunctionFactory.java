package dev.millrace.api.function;

import java.util.List;

/** Creates an aggregate for each group of a query, and declares how rules may call it. Thread-safe. */
public interface AggregateFunctionFactory
{
    /**
     * Returns the Java types of its arguments: {@code int}, {@code long}, {@code float}, {@code double},
     * {@code boolean} or their boxes, {@code String}, {@code BigDecimal}, {@code byte[]}, {@code java.sql.Timestamp}
     * for times (passed as {@code Long} nanoseconds), {@code Object} for anything.
     *
     * @return one entry per argument
     */
    List<Class<?>> argumentTypes();

    /**
     * Returns the Java type of its value, one of the same types.
     *
     * @return type
     */
    Class<?> resultType();

    /**
     * Whether {@link AggregateFunction#handleMinus} is implemented, so that rows can be removed one by one.
     *
     * @return false when the value is recomputed after a row was removed
     */
    default boolean isIncremental()
    {
        return false;
    }

    /**
     * Creates an aggregate.
     *
     * @return a new object
     */
    AggregateFunction newFunction();
}
