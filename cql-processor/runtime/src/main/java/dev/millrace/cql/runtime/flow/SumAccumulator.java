package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.SlotLongs;
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
    /** Words of a group: rows, sum of whole numbers, sum of all with its compensation, and what is not finite. */
    private static final int COUNT = 0;
    private static final int WHOLE = 1;
    private static final int SUM = 2;
    private static final int COMPENSATION = 3;
    private static final int NANS = 4;
    private static final int POSITIVES = 5;
    private static final int NEGATIVES = 6;
    private static final int WORDS = 7;

    private final int column;
    private final boolean whole;
    private final boolean average;
    private final SlotLongs sums = new SlotLongs(WORDS);

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
        sums.reach(group);
        empty(sums.chunk(group), sums.at(group));
    }

    private static void empty(final long[] words, final int at)
    {
        Arrays.fill(words, at, at + WORDS, 0);
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
        final long[] words = sums.chunk(group);
        final int at = sums.at(group);
        words[at + COUNT] += sign;
        if (words[at + COUNT] == 0)
        {
            // An empty sum is exactly nothing, whatever rounding has left behind.
            empty(words, at);
        }
        else if (whole)
        {
            final long value = rows.getLong(row, column);
            words[at + WHOLE] += sign * value;
            add(words, at, sign * (double)value);
        }
        else
        {
            changeDouble(words, at, rows.getDouble(row, column), sign);
        }
    }

    private static void changeDouble(final long[] words, final int at, final double value, final int sign)
    {
        if (Double.isFinite(value))
        {
            add(words, at, sign * value);
        }
        else
        {
            words[at + (Double.isNaN(value) ? NANS : value > 0 ? POSITIVES : NEGATIVES)] += sign;
        }
    }

    private static double number(final long[] words, final int place)
    {
        return Double.longBitsToDouble(words[place]);
    }

    private static void add(final long[] words, final int at, final double value)
    {
        final double sum = number(words, at + SUM);
        final double next = sum + value;
        words[at + SUM] = Double.doubleToRawLongBits(next);
        words[at + COMPENSATION] = Double.doubleToRawLongBits(number(words, at + COMPENSATION) +
            (Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum));
    }

    private static double sum(final long[] words, final int at)
    {
        if (words[at + NANS] > 0 || words[at + POSITIVES] > 0 && words[at + NEGATIVES] > 0)
        {
            return Double.NaN;
        }
        if (words[at + POSITIVES] > 0 || words[at + NEGATIVES] > 0)
        {
            return words[at + POSITIVES] > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        final double sum = number(words, at + SUM);
        final double exact = sum + number(words, at + COMPENSATION);
        return Double.isNaN(exact) ? sum : exact;
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final long[] words = sums.chunk(group);
        final int at = sums.at(group);
        final long count = words[at + COUNT];
        if (count == 0)
        {
            out.setNull(outRow, outColumn);
            return;
        }
        final long total = words[at + WHOLE];
        switch (out.layout().type(outColumn))
        {
            case INT -> out.setLong(outRow, outColumn, (int)total);
            case FLOAT -> out.setDouble(outRow, outColumn, (float)value(words, at));
            case DOUBLE -> out.setDouble(outRow, outColumn, value(words, at));
            default -> out.setLong(outRow, outColumn, average ? total / count : total);
        }
    }

    private double value(final long[] words, final int at)
    {
        return average ? sum(words, at) / words[at + COUNT] : sum(words, at);
    }
}
