package dev.millrace.api.oep;

import dev.millrace.api.function.AggregateFunction;
import dev.millrace.api.function.AggregateFunctionFactory;
import java.util.List;

/** Creates an incremental aggregate for each group of a query. Thread-safe. */
public interface AggregationFunctionFactory extends AggregateFunctionFactory
{
    /**
     * Returns the Java types of the arguments.
     *
     * @return one entry per argument
     */
    Class<?>[] getArgumentTypes();

    /**
     * Returns the Java type of the value.
     *
     * @return type
     */
    Class<?> getReturnType();

    /**
     * Creates an aggregate.
     *
     * @return a new object
     */
    AggregationFunction newAggregationFunction();

    /**
     * Not called: the garbage collector frees the aggregates.
     *
     * @param function an aggregate of this factory
     */
    void releaseAggregationFunction(AggregationFunction function);

    @Override
    default List<Class<?>> argumentTypes()
    {
        return List.of(getArgumentTypes());
    }

    @Override
    default Class<?> resultType()
    {
        return getReturnType();
    }

    @Override
    default boolean isIncremental()
    {
        return true;
    }

    @Override
    default AggregateFunction newFunction()
    {
        return new MigratedAggregate(newAggregationFunction());
    }
}
