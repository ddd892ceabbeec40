package dev.millrace.cql.functions;

import dev.millrace.cql.functions.statistics.Numbers;
import dev.millrace.cql.functions.statistics.SortedDoubles;
import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateArrays;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * An aggregate over the sorted values of its first argument; the other arguments are those of the row that was added
 * last. Not thread-safe. Failure: rows with arguments out of range are rejected.
 */
final class SortedAggregate implements GroupAggregate, StateHolder
{
    /** Checks that the other arguments of a row are in range. */
    @FunctionalInterface
    interface Check
    {
        /** True if they are; the first argument is the value itself. */
        boolean holds(double[] arguments);
    }

    /** The value of the aggregate. */
    @FunctionalInterface
    interface Result
    {
        /** Value over at least one number. */
        Double of(SortedDoubles values, double[] arguments);
    }

    private final String name;
    private final Check check;
    private final Result result;
    private final SortedDoubles values = new SortedDoubles();
    private double[] last;

    SortedAggregate(final String name, final Check check, final Result result)
    {
        this.name = name;
        this.check = check;
        this.result = result;
    }

    @Override
    public void reset()
    {
        values.clear();
    }

    @Override
    public boolean isIncremental()
    {
        return true;
    }

    @Override
    public void plus(final Object[] arguments)
    {
        final double[] numbers = Numbers.of(arguments);
        if (numbers != null)
        {
            FunctionErrors.need(check.holds(numbers), name, "an argument out of range");
            values.add(numbers[0]);
            last = numbers;
        }
    }

    @Override
    public void minus(final Object[] arguments)
    {
        final double[] numbers = Numbers.of(arguments);
        if (numbers != null && check.holds(numbers))
        {
            values.remove(numbers[0]);
        }
    }

    @Override
    public Object value()
    {
        return values.size() == 0 ? null : result.of(values, last);
    }

    @Override
    public void write(final StateOutput to)
    {
        values.write(to);
        to.writeCount(last == null ? 0 : last.length);
        StateArrays.write(last == null ? new double[0] : last, 0, last == null ? 0 : last.length, to);
    }

    @Override
    public void read(final StateInput from)
    {
        values.read(from);
        last = new double[from.readSize(Double.BYTES)];
        StateArrays.read(last, 0, last.length, from);
    }
}
