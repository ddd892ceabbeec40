package dev.millrace.api.oep;

import dev.millrace.api.function.AggregateFunction;

/** Stores the value that an {@link AggregationFunction} has returned last. */
final class MigratedAggregate implements AggregateFunction
{
    private final AggregationFunction function;
    private Object value;

    MigratedAggregate(final AggregationFunction function)
    {
        this.function = function;
    }

    @Override
    public void handleReset()
    {
        function.initialize();
        value = null;
    }

    @Override
    public void handlePlus(final Object[] arguments)
    {
        value = function.handlePlus(arguments);
    }

    @Override
    public void handleMinus(final Object[] arguments)
    {
        value = function.handleMinus(arguments);
    }

    @Override
    public Object value()
    {
        return value;
    }
}
