package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;

/**
 * Maps numbers of all types to integers of the same order: 0.0 and -0.0 are equal, NaN is greater than all others. Not
 * thread-safe.
 */
public final class ColumnKeys
{
    private final int column;
    private final long[] keys = new long[EventBatch.CAPACITY];

    ColumnKeys(final int column)
    {
        this.column = column;
    }

    /**
     * The key of a floating-point number; a float is widened.
     *
     * @return ordered as {@link Double#compare}, except for zero
     */
    public static long of(final double number)
    {
        final long bits = Double.doubleToLongBits(number + 0.0);
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    /** The keys of all rows of a batch; undefined for null. */
    long[] read(final EventBatch batch)
    {
        final Object array = batch.array(column);
        final int n = batch.size();
        if (array instanceof int[] ints)
        {
            for (int i = 0; i < n; i++)
            {
                keys[i] = ints[i];
            }
        }
        else if (array instanceof long[] longs)
        {
            System.arraycopy(longs, 0, keys, 0, n);
        }
        else if (array instanceof double[] doubles)
        {
            for (int i = 0; i < n; i++)
            {
                keys[i] = of(doubles[i]);
            }
        }
        else
        {
            final float[] floats = (float[])array;
            for (int i = 0; i < n; i++)
            {
                keys[i] = of(floats[i]);
            }
        }
        return keys;
    }
}
