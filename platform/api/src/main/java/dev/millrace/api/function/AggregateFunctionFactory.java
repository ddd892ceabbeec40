package dev.millrace.api.function;

import java.util.List;

/** Makes an aggregate for each group of a query, and says how rules may call it. Safe for all threads. */
public interface AggregateFunctionFactory
{
    /**
     * The Java types of its arguments: {@code int}, {@code long}, {@code float}, {@code double}, {@code boolean} or
     * their boxes, {@code String}, {@code BigDecimal}, {@code byte[]}, {@code java.sql.Timestamp} for times (handed
     * over as {@code Long} nanoseconds), {@code Object} for anything.
     *
     * @return one entry an argument
     */
    List<Class<?>> argumentTypes();

    /**
     * The Java type of its value, one of the same.
     *
     * @return type
     */
    Class<?> resultType();

    /**
     * Whether {@link AggregateFunction#handleMinus} is implemented: rows can be taken out one by one.
     *
     * @return false when the value is computed anew after a row has left
     */
    default boolean isIncremental()
    {
        return false;
    }

    /**
     * Makes an aggregate.
     *
     * @return a new object
     */
    AggregateFunction newFunction();
}
