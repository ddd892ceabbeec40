package dev.millrace.tuning;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/**
 * Counts rows and adds up what is in them: first column char, second number, third (if there is one) double. Time,
 * kind and origin are counted in as well, so that leaving them out would show.
 */
final class Tally implements EventBatchSink
{
    private long rows;
    private long checksum;

    @Override
    public void onBatch(final EventBatch batch)
    {
        final int n = batch.size();
        final int[] ids = batch.ints(0);
        long sum = 0;
        if (batch.schema().storage(1) == ColumnStorage.FLOAT64)
        {
            final double[] numbers = batch.doubles(1);
            final double[] more = batch.doubles(2);
            for (int i = 0; i < n; i++)
            {
                sum += ids[i] * 31L + Double.doubleToRawLongBits(numbers[i]) + Double.doubleToRawLongBits(more[i]) * 3;
            }
        }
        else
        {
            final long[] numbers = batch.longs(1);
            for (int i = 0; i < n; i++)
            {
                sum += ids[i] * 31L + numbers[i] * (1 + batch.kind(i));
            }
        }
        for (int i = 0; i < n; i++)
        {
            sum += batch.timestampNs(i) * 5;
        }
        if (batch.hasOrigins())
        {
            final long[] origins = batch.originsNs();
            for (int i = 0; i < n; i++)
            {
                sum += origins[i] * 7;
            }
        }
        rows += n;
        checksum += sum;
    }

    long rows()
    {
        return rows;
    }

    long checksum()
    {
        return checksum;
    }
}
