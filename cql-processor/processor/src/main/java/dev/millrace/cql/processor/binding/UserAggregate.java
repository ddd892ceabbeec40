package dev.millrace.cql.processor.binding;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.UserObjectState;
import java.util.List;

/** Adapts an aggregate of an application to the engine. Not thread-safe; belongs to one group. */
final class UserAggregate implements GroupAggregate, StateHolder
{
    private final String name;
    private final List<CqlType> arguments;
    private final CqlType result;
    private final boolean incremental;
    private final dev.millrace.api.function.AggregateFunction function;

    private UserAggregate(final String name, final List<CqlType> arguments, final CqlType result,
        final AggregateFunctionFactory factory)
    {
        this.name = name;
        this.arguments = arguments;
        this.result = result;
        incremental = factory.isIncremental();
        function = factory.newFunction();
        if (function == null)
        {
            throw new IllegalStateException("the factory of an aggregate returned null, function=" + name + " class=" +
                factory.getClass().getName());
        }
    }

    /**
     * Creates a factory for the engine.
     *
     * @param name    name of the aggregate, for messages
     * @param factory checked factory of the application
     */
    static GroupAggregateFactory factory(final String name, final AggregateFunctionFactory factory)
    {
        final List<CqlType> arguments = factory.argumentTypes().stream().map(JavaTypeMapping::cqlType).toList();
        final CqlType result = JavaTypeMapping.cqlType(factory.resultType());
        return () -> new UserAggregate(name, arguments, result, factory);
    }

    @Override
    public void reset()
    {
        function.handleReset();
    }

    @Override
    public void plus(final Object[] values)
    {
        function.handlePlus(toUser(values));
    }

    @Override
    public void minus(final Object[] values)
    {
        function.handleMinus(toUser(values));
    }

    /** A copy: changes that a user class makes to its arguments must not affect the stored rows. */
    private Object[] toUser(final Object[] values)
    {
        final Object[] converted = new Object[values.length];
        for (int i = 0; i < values.length; i++)
        {
            converted[i] = JavaTypeMapping.toUser(arguments.get(i), values[i]);
        }
        return converted;
    }

    @Override
    public void write(final StateOutput to)
    {
        UserObjectState.write(function, "function=" + name, to);
    }

    @Override
    public void read(final StateInput from)
    {
        UserObjectState.read(function, "function=" + name, from);
    }

    @Override
    public boolean isIncremental()
    {
        return incremental;
    }

    @Override
    public Object value()
    {
        final Object value = JavaTypeMapping.toEngine(function.value());
        if (value == null || value instanceof String text && text.isEmpty())
        {
            return null;
        }
        if (!Values.boxedClass(result).isInstance(value))
        {
            throw new RowRejectedException(RejectionHandler.AGGREGATE_FAILED,
                "an aggregate returned another type than " +
                "declared, function=" + name + " declared=" + Values.boxedClass(result).getSimpleName() +
                " returned=" +
                value.getClass().getName());
        }
        return value;
    }
}
