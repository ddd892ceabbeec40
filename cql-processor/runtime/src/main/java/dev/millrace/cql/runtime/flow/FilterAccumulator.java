package dev.millrace.cql.runtime.flow;

/**
 * FILTER (WHERE condition): lets the rows for which a column is true reach another accumulator.
 *
 * <p>Threads: the engine's.
 */
public final class FilterAccumulator extends Accumulator
{
    private final Accumulator target;
    private final int filter;

    /**
     * Makes an accumulator.
     *
     * @param target what is computed
     * @param filter boolean column of the input
     */
    public FilterAccumulator(final Accumulator target, final int filter)
    {
        this.target = target;
        this.filter = filter;
    }

    private boolean counts(final RowStore rows, final int row)
    {
        return !rows.isNull(row, filter) && rows.getLong(row, filter) != 0;
    }

    @Override
    void faults(final RowFaults to)
    {
        target.faults(to);
    }

    @Override
    protected void open(final int group)
    {
        target.open(group);
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        if (counts(rows, row))
        {
            target.plus(group, rows, row);
        }
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        if (counts(rows, row))
        {
            target.minus(group, rows, row);
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        target.write(group, out, outRow, outColumn);
    }

    @Override
    protected void close(final int group)
    {
        target.close(group);
    }
}
