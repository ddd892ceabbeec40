package dev.millrace.cql.functions;

import dev.millrace.cql.functions.statistics.DoubleQueue;
import dev.millrace.cql.functions.statistics.Numbers;
import dev.millrace.cql.functions.statistics.PairSums;
import dev.millrace.cql.functions.statistics.PowerSums;
import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * An aggregate over values and the values a number of rows (the lag) before them. Adding or removing a row takes time
 * in proportion to the lag; a row that is removed from the middle must be searched for; a change of the lag causes a
 * complete recomputation.
 *
 * <p>Not thread-safe. Failure: rows with a lag below 0 are rejected.
 */
final class LagAggregate implements GroupAggregate, StateHolder
{
    /** The value of the aggregate. */
    @FunctionalInterface
    interface Result
    {
        /** Computed from the sums over all values and the sum of the products of the distances from the mean. */
        Double of(PowerSums values, double codeviation, int lag);
    }

    private final String name;
    private final Result result;
    private final DoubleQueue values = new DoubleQueue();
    private final DoubleQueue lags = new DoubleQueue();
    private final PowerSums sums = new PowerSums(2);
    private final boolean hasLag;
    private final PairSums pairs = new PairSums();
    private int lag;

    /** With a fixed lag, or with the second argument of the last row as lag. */
    LagAggregate(final String name, final boolean hasLag, final Result result)
    {
        this.name = name;
        this.hasLag = hasLag;
        this.result = result;
        lag = 1;
    }

    @Override
    public void reset()
    {
        values.clear();
        lags.clear();
        sums.reset();
        pairs.reset();
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
        if (numbers == null)
        {
            return;
        }
        FunctionErrors.need(!hasLag || numbers[1] >= 0, name, "an argument out of range");
        values.add(numbers[0]);
        if (hasLag)
        {
            lags.add(numbers[1]);
        }
        sums.change(numbers[0], 1);
        pair(values.size() - 1, lag, 1);
    }

    private void pair(final int index, final int distance, final int sign)
    {
        if (distance <= index && index < values.size())
        {
            pairs.change(new double[]{values.get(index), values.get(index - distance)}, sign);
        }
    }

    @Override
    public void minus(final Object[] arguments)
    {
        final double[] numbers = Numbers.of(arguments);
        for (int row = 0; numbers != null && row < values.size(); row++)
        {
            if (DoubleQueue.isSame(values.get(row), numbers[0]) &&
                (!hasLag || DoubleQueue.isSame(lags.get(row), numbers[1])))
            {
                remove(row);
                return;
            }
        }
    }

    /** The distance between values on both sides of the row decreases by one. */
    private void remove(final int row)
    {
        final int last = (int) Math.min(values.size() - 1L, (long) row + lag);
        for (int i = row; i <= last; i++)
        {
            pair(i, lag, -1);
        }
        for (int i = row + 1; i <= last && lag > 0; i++)
        {
            pair(i, lag + 1, 1);
        }
        sums.change(values.get(row), -1);
        values.remove(row);
        if (hasLag)
        {
            lags.remove(row);
        }
    }

    @Override
    public Object value()
    {
        if (values.size() == 0)
        {
            return null;
        }
        final int wanted = hasLag ? (int) lags.get(lags.size() - 1) : 1;
        if (wanted != lag)
        {
            lag = wanted;
            pairs.reset();
            for (int i = 0; i < values.size(); i++)
            {
                pair(i, lag, 1);
            }
        }
        return lag >= values.size() && hasLag ? null : result.of(sums, pairs.deviations(sums, sums), lag);
    }

    @Override
    public void write(final StateOutput to)
    {
        values.write(to);
        lags.write(to);
        sums.write(to);
        pairs.write(to);
        to.writeInt(lag);
    }

    @Override
    public void read(final StateInput from)
    {
        values.read(from);
        lags.read(from);
        sums.read(from);
        pairs.read(from);
        lag = from.readInt();
    }
}
