package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.function.ToDoubleFunction;

/**
 * An aggregate that is computed from exact sums over its rows. Not thread-safe.
 *
 * @param <S> type of the sums
 */
public final class ExactAggregate<S extends ExactAggregate.Sums> implements GroupAggregate, StateHolder
{
    /** Sums over rows that are added and removed. */
    public interface Sums extends StateHolder
    {
        /** Adds (sign 1) or removes (sign -1) the arguments of a row. */
        public void change(double[] row, int sign);

        /** Number of rows. */
        public long count();

        /** Removes all rows. */
        public void reset();
    }

    private final S sums;
    private final ToDoubleFunction<S> result;

    public ExactAggregate(final S sums, final ToDoubleFunction<S> result)
    {
        this.sums = sums;
        this.result = result;
    }

    @Override
    public void reset()
    {
        sums.reset();
    }

    @Override
    public boolean isIncremental()
    {
        return true;
    }

    @Override
    public void plus(final Object[] arguments)
    {
        change(arguments, 1);
    }

    @Override
    public void minus(final Object[] arguments)
    {
        change(arguments, -1);
    }

    private void change(final Object[] arguments, final int sign)
    {
        final double[] numbers = Numbers.of(arguments);
        if (numbers != null)
        {
            sums.change(numbers, sign);
        }
    }

    @Override
    public Object value()
    {
        return sums.count() == 0 ? null : (Object) result.applyAsDouble(sums);
    }

    @Override
    public void write(final StateOutput to)
    {
        sums.write(to);
    }

    @Override
    public void read(final StateInput from)
    {
        sums.read(from);
    }
}
