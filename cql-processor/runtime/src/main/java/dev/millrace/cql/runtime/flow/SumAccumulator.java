package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import java.util.Arrays;

/**
 * {@code sum} and {@code avg} of numbers but bigdecimal. Whole numbers are summed as such and wrap like Java's;
 * floating ones with Neumaier's compensation, so that what enters and leaves does not drift. Values that are not
 * finite are counted apart, since they cannot be taken out of a sum.
 *
 * <p>Threads: the engine's.
 */
public final class SumAccumulator extends Accumulator
{
    private final int column;
    private final boolean whole;
    private final boolean average;
    private long[] counts = new long[16];
    private long[] wholes = new long[16];
    private double[] sums = new double[16];
    private double[] compensations = new double[16];
    private long[] nans = new long[16];
    private long[] positives = new long[16];
    private long[] negatives = new long[16];

    /**
     * Makes an accumulator.
     *
     * @param column  argument
     * @param type    its type: int, bigint, float, double or interval
     * @param average whether the mean is wanted
     */
    public SumAccumulator(final int column, final CqlType type, final boolean average)
    {
        this.column = column;
        this.average = average;
        whole = type != CqlType.FLOAT && type != CqlType.DOUBLE;
    }

    @Override
    protected void open(final int group)
    {
        if (group >= counts.length)
        {
            final int length = group * 2;
            counts = Arrays.copyOf(counts, length);
            wholes = Arrays.copyOf(wholes, length);
            sums = Arrays.copyOf(sums, length);
            compensations = Arrays.copyOf(compensations, length);
            nans = Arrays.copyOf(nans, length);
            positives = Arrays.copyOf(positives, length);
            negatives = Arrays.copyOf(negatives, length);
        }
        counts[group] = 0;
        empty(group);
    }

    private void empty(final int group)
    {
        wholes[group] = 0;
        sums[group] = 0;
        compensations[group] = 0;
        nans[group] = 0;
        positives[group] = 0;
        negatives[group] = 0;
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

    private void change(final int group, final RowStore rows, final int row, final int sign)
    {
        if (rows.isNull(row, column))
        {
            return;
        }
        counts[group] += sign;
        if (counts[group] == 0)
        {
            // An empty sum is exactly nothing, whatever rounding has left behind.
            empty(group);
        }
        else if (whole)
        {
            final long value = rows.getLong(row, column);
            wholes[group] += sign * value;
            add(group, sign * (double)value);
        }
        else
        {
            changeDouble(group, rows.getDouble(row, column), sign);
        }
    }

    private void changeDouble(final int group, final double value, final int sign)
    {
        if (Double.isFinite(value))
        {
            add(group, sign * value);
        }
        else if (Double.isNaN(value))
        {
            nans[group] += sign;
        }
        else if (value > 0)
        {
            positives[group] += sign;
        }
        else
        {
            negatives[group] += sign;
        }
    }

    private void add(final int group, final double value)
    {
        final double sum = sums[group];
        final double next = sum + value;
        compensations[group] += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
        sums[group] = next;
    }

    private double sum(final int group)
    {
        if (nans[group] > 0 || positives[group] > 0 && negatives[group] > 0)
        {
            return Double.NaN;
        }
        if (positives[group] > 0 || negatives[group] > 0)
        {
            return positives[group] > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        final double exact = sums[group] + compensations[group];
        return Double.isNaN(exact) ? sums[group] : exact;
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        if (counts[group] == 0)
        {
            out.setNull(outRow, outColumn);
            return;
        }
        switch (out.layout().type(outColumn))
        {
            case INT -> out.setLong(outRow, outColumn, (int)wholes[group]);
            case FLOAT -> out.setDouble(outRow, outColumn, (float)value(group));
            case DOUBLE -> out.setDouble(outRow, outColumn, value(group));
            default -> out.setLong(outRow, outColumn, average ? wholes[group] / counts[group] : wholes[group]);
        }
    }

    private double value(final int group)
    {
        return average ? sum(group) / counts[group] : sum(group);
    }
}
