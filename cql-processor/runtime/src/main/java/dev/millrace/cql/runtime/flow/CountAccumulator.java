package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import java.util.Arrays;

/** {@code count(*)} and {@code count(x)}. Threads: the engine's. */
public final class CountAccumulator extends Accumulator
{
    private final int column;
    private long[] counts = new long[16];

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
        if (group >= counts.length)
        {
            counts = Arrays.copyOf(counts, group * 2);
        }
        counts[group] = 0;
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        counts[group] += column < 0 || !rows.isNull(row, column) ? 1 : 0;
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        counts[group] -= column < 0 || !rows.isNull(row, column) ? 1 : 0;
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        if (out.layout().type(outColumn) == CqlType.INT && counts[group] > Integer.MAX_VALUE)
        {
            throw new RowRejectedException("overflow", "count is beyond int, count=" + counts[group]);
        }
        out.setLong(outRow, outColumn, counts[group]);
    }
}
