package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotLongs;
import dev.millrace.cql.runtime.SlotObjects;
import java.math.BigDecimal;
import java.math.MathContext;

/** {@code sum} and {@code avg} of bigdecimal. Threads: the engine's. */
public final class DecimalSumAccumulator extends Accumulator
{
    private final int column;
    private final boolean average;
    private final SlotLongs counts = new SlotLongs(1);
    private final SlotObjects<BigDecimal> sums = new SlotObjects<>();

    /**
     * Makes an accumulator.
     *
     * @param column  argument
     * @param average whether the mean is wanted, to 34 digits
     */
    public DecimalSumAccumulator(final int column, final boolean average)
    {
        this.column = column;
        this.average = average;
    }

    @Override
    protected void open(final int group)
    {
        counts.reach(group);
        counts.set(group, 0, 0);
        sums.reach(group);
        sums.set(group, BigDecimal.ZERO);
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        if (!rows.isNull(row, column))
        {
            sums.set(group, sums.get(group).add((BigDecimal)rows.getReference(row, column)));
            counts.set(group, 0, counts.get(group, 0) + 1);
        }
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        if (!rows.isNull(row, column))
        {
            sums.set(group, sums.get(group).subtract((BigDecimal)rows.getReference(row, column)));
            counts.set(group, 0, counts.get(group, 0) - 1);
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final long count = counts.get(group, 0);
        if (count == 0)
        {
            out.setNull(outRow, outColumn);
            return;
        }
        out.setReference(outRow, outColumn, average ?
            sums.get(group).divide(BigDecimal.valueOf(count), MathContext.DECIMAL128) : sums.get(group));
    }

    @Override
    protected void close(final int group)
    {
        sums.set(group, null);
    }
}
