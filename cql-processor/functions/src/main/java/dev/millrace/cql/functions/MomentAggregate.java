package dev.millrace.cql.functions;

import dev.millrace.cql.functions.statistics.ExactSum;
import dev.millrace.cql.functions.statistics.Numbers;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/** An aggregate that is computed only from sums over its rows; rows can be removed. Not thread-safe. */
final class MomentAggregate implements GroupAggregate, StateHolder
{
    /** The terms that a row adds to the sums. */
    @FunctionalInterface
    interface Terms
    {
        /** One addend per sum, computed from the numbers of a row. */
        double[] of(double[] arguments);
    }

    /** The value of the aggregate. */
    @FunctionalInterface
    interface Result
    {
        /** Value of sums over this number of rows. */
        double of(ExactSum[] sums, long count);
    }

    private final Terms terms;
    private final Result result;
    private final ExactSum[] sums;
    private long count;

    MomentAggregate(final int sums, final Terms terms, final Result result)
    {
        this.terms = terms;
        this.result = result;
        this.sums = new ExactSum[sums];
        for (int i = 0; i < sums; i++)
        {
            this.sums[i] = new ExactSum();
        }
    }

    @Override
    public void reset()
    {
        count = 0;
        for (final ExactSum sum : sums)
        {
            sum.reset();
        }
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
        if (numbers == null)
        {
            return;
        }
        final double[] addends = terms.of(numbers);
        for (int i = 0; i < sums.length; i++)
        {
            sums[i].change(addends[i], sign);
        }
        count += sign;
        if (count == 0)
        {
            // No row remains, so that rounding errors are discarded.
            reset();
        }
    }

    @Override
    public Object value()
    {
        return count == 0 ? null : result.of(sums, count);
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(count);
        for (final ExactSum sum : sums)
        {
            sum.write(to);
        }
    }

    @Override
    public void read(final StateInput from)
    {
        count = from.readLong();
        for (final ExactSum sum : sums)
        {
            sum.read(from);
        }
    }
}
