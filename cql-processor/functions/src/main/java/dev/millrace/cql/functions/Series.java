package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.flow.AggregateFunction;

/**
 * An aggregate over the rows of one or several columns in the order of their arrival. Threads: one. Failure: rows with
 * arguments out of range are refused.
 */
final class Series implements AggregateFunction
{
    /** The value of the aggregate. */
    @FunctionalInterface
    interface Result
    {
        /** Value over at least one row; an array a column. */
        Double of(double[][] columns);
    }

    private final String name;
    private final Ranked.Check check;
    private final Result result;
    private final DoubleQueue[] columns;

    Series(final String name, final int columns, final Ranked.Check check, final Result result)
    {
        this.name = name;
        this.check = check;
        this.result = result;
        this.columns = new DoubleQueue[columns];
        for (int i = 0; i < columns; i++)
        {
            this.columns[i] = new DoubleQueue();
        }
    }

    Series(final String name, final int columns, final Result result)
    {
        this(name, columns, numbers -> true, result);
    }

    @Override
    public void reset()
    {
        for (final DoubleQueue column : columns)
        {
            column.clear();
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
        final double[] numbers = Numbers.of(arguments);
        if (numbers != null)
        {
            Failures.need(check.holds(numbers), name, "an argument out of range");
            for (int i = 0; i < columns.length; i++)
            {
                columns[i].add(numbers[i]);
            }
        }
    }

    @Override
    public void minus(final Object[] arguments)
    {
        final double[] numbers = Numbers.of(arguments);
        for (int row = 0; numbers != null && row < columns[0].size(); row++)
        {
            if (isAt(row, numbers))
            {
                for (final DoubleQueue column : columns)
                {
                    column.remove(row);
                }
                return;
            }
        }
    }

    private boolean isAt(final int row, final double[] numbers)
    {
        for (int i = 0; i < columns.length; i++)
        {
            if (!DoubleQueue.isSame(columns[i].get(row), numbers[i]))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public Object value()
    {
        if (columns[0].size() == 0)
        {
            return null;
        }
        final double[][] values = new double[columns.length][];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = columns[i].toArray();
        }
        return result.of(values);
    }
}
