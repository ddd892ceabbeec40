package dev.millrace.tuning.harness;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/**
 * Sums the rows of one of several statements, of any numeric columns, for a common {@link ResultChecksum}. The values
 * of a row, its time and the statement are mixed, so that a value in another row or statement changes the checksum; the
 * order of rows does not. Not thread-safe.
 */
public final class RowSum implements EventBatchSink
{
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final ResultChecksum tally;
    private final long start;
    private final long[] sums = new long[EventBatch.CAPACITY];

    /**
     * @param statement whose rows they are
     * @param tally     receives the sums
     */
    public RowSum(final String statement, final ResultChecksum tally)
    {
        this.tally = tally;
        start = statement.hashCode() * MIX;
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        final int n = batch.size();
        for (int i = 0; i < n; i++)
        {
            sums[i] = (start + batch.timestampNs(i) + batch.kind(i)) * MIX;
        }
        for (int column = 0; column < batch.schema().columnCount(); column++)
        {
            if (batch.schema().storage(column) == ColumnStorage.INT32)
            {
                mix(batch.ints(column), n);
            }
            else if (batch.schema().storage(column) == ColumnStorage.INT64)
            {
                mix(batch.longs(column), n);
            }
            else
            {
                mix(batch.doubles(column), n);
            }
        }
        long checksum = 0;
        for (int i = 0; i < n; i++)
        {
            checksum += sums[i] ^ sums[i] >>> 32;
        }
        tally.add(n, checksum);
    }

    private void mix(final int[] values, final int n)
    {
        for (int i = 0; i < n; i++)
        {
            sums[i] = (sums[i] + values[i]) * MIX;
        }
    }

    private void mix(final long[] values, final int n)
    {
        for (int i = 0; i < n; i++)
        {
            sums[i] = (sums[i] + values[i]) * MIX;
        }
    }

    private void mix(final double[] values, final int n)
    {
        for (int i = 0; i < n; i++)
        {
            sums[i] = (sums[i] + Double.doubleToRawLongBits(values[i])) * MIX;
        }
    }
}
