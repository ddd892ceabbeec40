package dev.millrace.cql.runtime.flow;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/** {@code sum} and {@code avg} of bigdecimal. Threads: the engine's. */
public final class DecimalSumAccumulator extends Accumulator
{
    private final int column;
    private final boolean average;
    private long[] counts = new long[16];
    private BigDecimal[] sums = new BigDecimal[16];

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
        if (group >= counts.length)
        {
            counts = Arrays.copyOf(counts, group * 2);
            sums = Arrays.copyOf(sums, group * 2);
        }
        counts[group] = 0;
        sums[group] = BigDecimal.ZERO;
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        if (!rows.isNull(row, column))
        {
            counts[group]++;
            sums[group] = sums[group].add((BigDecimal)rows.getReference(row, column));
        }
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        if (!rows.isNull(row, column))
        {
            counts[group]--;
            sums[group] = sums[group].subtract((BigDecimal)rows.getReference(row, column));
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        if (counts[group] == 0)
        {
            out.setNull(outRow, outColumn);
            return;
        }
        out.setReference(outRow, outColumn, average ?
            sums[group].divide(BigDecimal.valueOf(counts[group]), MathContext.DECIMAL128) : sums[group]);
    }

    @Override
    protected void close(final int group)
    {
        sums[group] = null;
    }
}
