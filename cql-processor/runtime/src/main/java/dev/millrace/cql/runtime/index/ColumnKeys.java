package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;

/**
 * Numbers of all kinds as whole numbers of the same order; 0.0 and -0.0 are one, NaN lies beyond all others. Threads:
 * one at a time.
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
     * The key of a floating number; those of float columns are widened.
     *
     * @param number value
     * @return order as {@link Double#compare}, but for zero
     */
    public static long of(final double number)
    {
        final long bits = Double.doubleToLongBits(number + 0.0);
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    /** The keys of all rows of a batch; those of rows that are null say nothing. */
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
