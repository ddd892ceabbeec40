package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.SlotLongs;

/** {@code count(*)} and {@code count(x)}. Threads: the engine's. */
public final class CountAccumulator extends Accumulator
{
    private final int column;
    private final SlotLongs counts = new SlotLongs(1);

    /**
     * Makes an accumulator.
     *
     * @param column whose values that are not null are counted; -1 counts rows
     */
    public CountAccumulator(final int column)
    {
        this.column = column;
    }

    @Override
    protected void open(final int group)
    {
        counts.reach(group);
        counts.set(group, 0, 0);
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        change(group, rows, row, 1);
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        change(group, rows, row, -1);
    }

    private void change(final int group, final RowStore rows, final int row, final int by)
    {
        if (column < 0 || !rows.isNull(row, column))
        {
            counts.chunk(group)[counts.at(group)] += by;
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final long count = counts.get(group, 0);
        if (out.layout().type(outColumn) == CqlType.INT && count > Integer.MAX_VALUE)
        {
            throw new RowRejectedException("overflow", "count is beyond int, count=" + count);
        }
        out.setLong(outRow, outColumn, count);
    }
}
