package dev.millrace.cql.functions;

import dev.millrace.cql.functions.statistics.DoubleQueue;
import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Function;

/** An aggregate over values of any type in order of arrival. Not thread-safe. */
final class ArrivalOrderAggregate implements GroupAggregate, StateHolder
{
    /** A number that no row of a group has. */
    private static final int UNKNOWN = -1;

    private final Function<Deque<Object[]>, Object> result;
    private final Deque<Object[]> rows = new ArrayDeque<>();
    /** The numbers of the rows, in the same order. */
    private final Deque<Integer> numbers = new ArrayDeque<>();

    ArrivalOrderAggregate(final Function<Deque<Object[]>, Object> result)
    {
        this.result = result;
    }

    @Override
    public void reset()
    {
        rows.clear();
        numbers.clear();
    }

    @Override
    public boolean isIncremental()
    {
        return true;
    }

    @Override
    public void plus(final Object[] arguments)
    {
        plus(arguments, UNKNOWN);
    }

    @Override
    public void plus(final Object[] arguments, final int row)
    {
        if (arguments[0] != null)
        {
            FunctionErrors.need(rows.size() < DoubleQueue.MAX_SIZE, "aggregate",
                "of more than " + DoubleQueue.MAX_SIZE + " values");
            rows.add(arguments.clone());
            numbers.add(row);
        }
    }

    @Override
    public void minus(final Object[] arguments)
    {
        minus(arguments, UNKNOWN);
    }

    /** Of equal rows, removes the one with the number, otherwise the oldest. */
    @Override
    public void minus(final Object[] arguments, final int row)
    {
        if (arguments[0] != null && !remove(arguments, row) && row != UNKNOWN)
        {
            remove(arguments, UNKNOWN);
        }
    }

    private boolean remove(final Object[] arguments, final int number)
    {
        final Iterator<Integer> eachNumber = numbers.iterator();
        final Iterator<Object[]> each = rows.iterator();
        while (each.hasNext())
        {
            final boolean isNumbered = eachNumber.next() == number;
            final boolean isEqual = isSame(each.next(), arguments);
            if (isEqual && (isNumbered || number == UNKNOWN))
            {
                each.remove();
                eachNumber.remove();
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(final Object[] row, final Object[] other)
    {
        for (int i = 0; i < row.length; i++)
        {
            if (!(row[i] instanceof Double || row[i] instanceof Float ?
                other[i] instanceof Number number &&
                    DoubleQueue.isSame(((Number) row[i]).doubleValue(), number.doubleValue()) :
                Arrays.deepEquals(new Object[]{row[i]}, new Object[]{other[i]})))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public Object value()
    {
        return rows.isEmpty() ? null : result.apply(rows);
    }

    /** The strings of the rows, each except the first after its own separator, if any. */
    static String joined(final String function, final Deque<Object[]> rows)
    {
        final StringBuilder text = new StringBuilder();
        for (final Object[] row : rows)
        {
            if (text.length() > 0 && row.length > 1 && row[1] != null)
            {
                text.append(row[1]);
            }
            text.append(row[0]);
            if (text.length() > FunctionErrors.MAX_LENGTH)
            {
                throw FunctionErrors.domain(function,
                    "a string of more than " + FunctionErrors.MAX_LENGTH + " characters");
            }
        }
        return FunctionErrors.text(function, text);
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(rows.size());
        final Iterator<Integer> number = numbers.iterator();
        for (final Object[] row : rows)
        {
            to.writeInt(number.next());
            to.writeCount(row.length);
            for (final Object each : row)
            {
                to.writeValue(each);
            }
        }
    }

    @Override
    public void read(final StateInput from)
    {
        for (int n = from.readSize(Integer.BYTES); n > 0; n--)
        {
            numbers.add(from.readInt());
            final Object[] row = new Object[from.readSize(1)];
            Arrays.setAll(row, i -> from.readValue());
            rows.add(row);
        }
    }
}
