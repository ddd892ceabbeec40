package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.state.StateArrays;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/** Numbers in ascending order, NaN last. Not thread-safe. */
public final class SortedDoubles implements StateHolder
{
    private double[] values = new double[16];
    private int size;

    public int size()
    {
        return size;
    }

    double get(final int index)
    {
        return values[index];
    }

    private int find(final double value)
    {
        return Arrays.binarySearch(values, 0, size, value);
    }

    public void add(final double given)
    {
        // 0 has no sign.
        final double value = given + 0.0;
        if (size == values.length)
        {
            FunctionErrors.need(size < DoubleQueue.MAX_SIZE, "aggregate", "of more than " + DoubleQueue.MAX_SIZE +
                " values");
            values = Arrays.copyOf(values, size * 2);
        }
        final int found = find(value);
        final int at = found < 0 ? -found - 1 : found;
        System.arraycopy(values, at, values, at + 1, size - at);
        values[at] = value;
        size++;
    }

    public void remove(final double given)
    {
        final int at = find(given + 0.0);
        if (at >= 0)
        {
            size--;
            System.arraycopy(values, at + 1, values, at, size - at);
        }
    }

    public void clear()
    {
        values = new double[16];
        size = 0;
    }

    /** Number of values that are not greater, interpolated between two values. */
    public double rank(final double element)
    {
        int below = 0;
        int above = size;
        while (below < above)
        {
            final int middle = below + above >>> 1;
            if (Double.compare(values[middle], element + 0.0) <= 0)
            {
                below = middle + 1;
            }
            else
            {
                above = middle;
            }
        }
        if (below == 0 || below == size || values[below - 1] == element)
        {
            return below;
        }
        return below + (element - values[below - 1]) / (values[below] - values[below - 1]);
    }

    /** The value below which a share of the values is, interpolated between two values. */
    public double quantile(final double share)
    {
        final double position = share * (size - 1);
        final int below = (int) position;
        final double part = position - below;
        return part == 0 ? values[below] : values[below] * (1 - part) + values[below + 1] * part;
    }

    /** Mean distance from the mean, in two passes; NaN unless all values are finite. */
    public double meanDeviation()
    {
        final double mean = mean(0, 0, false);
        final ExactSum sum = new ExactSum();
        for (int i = 0; i < size; i++)
        {
            sum.change(Math.abs(values[i] - mean), 1);
        }
        return sum.over(size);
    }

    /** Mean without a number of the smallest and the largest values, which may be replaced with their neighbors. */
    public Double mean(final int left, final int right, final boolean replaces)
    {
        final int end = size - right;
        if (left >= end)
        {
            return null;
        }
        final ExactSum sum = new ExactSum();
        for (int i = left; i < end; i++)
        {
            sum.change(values[i], 1);
        }
        if (!replaces)
        {
            return sum.over(end - left);
        }
        for (int i = 0; i < left; i++)
        {
            sum.change(values[left], 1);
        }
        for (int i = 0; i < right; i++)
        {
            sum.change(values[end - 1], 1);
        }
        return sum.over(size);
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(size);
        StateArrays.write(values, 0, size, to);
    }

    @Override
    public void read(final StateInput from)
    {
        size = from.readSize(Double.BYTES);
        int length = values.length;
        while (length < size)
        {
            length *= 2;
        }
        values = new double[length];
        StateArrays.read(values, 0, size, from);
    }
}
