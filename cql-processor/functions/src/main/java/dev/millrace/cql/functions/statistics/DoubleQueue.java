package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.state.StateArrays;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/** Numbers in order of arrival. Not thread-safe. */
public final class DoubleQueue implements StateHolder
{
    /** Maximum number of values that an aggregate stores per group. */
    public static final int MAX_SIZE = 1 << 24;

    private double[] ring = new double[16];
    private int head;
    private int size;

    /** Whether two numbers are equal in the engine: NaN equals NaN, and 0 has no sign. */
    public static boolean isSame(final double a, final double b)
    {
        return a == b || a != a && b != b;
    }

    public int size()
    {
        return size;
    }

    public double get(final int index)
    {
        return ring[head + index & ring.length - 1];
    }

    public void add(final double value)
    {
        if (size == ring.length)
        {
            FunctionErrors.need(size < MAX_SIZE, "aggregate", "of more than " + MAX_SIZE + " values");
            final double[] longer = new double[size * 2];
            System.arraycopy(toArray(), 0, longer, 0, size);
            ring = longer;
            head = 0;
        }
        ring[head + size++ & ring.length - 1] = value;
    }

    /** Removes the value at an index. */
    public void remove(final int index)
    {
        for (int i = index; i > 0; i--)
        {
            ring[head + i & ring.length - 1] = get(i - 1);
        }
        head = head + 1 & ring.length - 1;
        size--;
    }

    public void clear()
    {
        ring = new double[16];
        head = 0;
        size = 0;
    }

    double[] toArray()
    {
        final double[] values = new double[size];
        for (int i = 0; i < size; i++)
        {
            values[i] = get(i);
        }
        return values;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(size);
        StateArrays.write(toArray(), 0, size, to);
    }

    @Override
    public void read(final StateInput from)
    {
        final double[] values = new double[from.readSize(Double.BYTES)];
        StateArrays.read(values, 0, values.length, from);
        clear();
        for (final double each : values)
        {
            add(each);
        }
    }
}
