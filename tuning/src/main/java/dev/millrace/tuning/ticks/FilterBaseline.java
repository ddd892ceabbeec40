package dev.millrace.tuning.ticks;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/** A hand-written comparison: tests the greatest of four prices at a time, since a price is rarely high enough. */
final class FilterBaseline implements EventBatchSink
{
    private static final int STEP = 4;

    private final double least;
    private final EventBatch out;
    private final ResultChecksum tally;

    FilterBaseline(final double least, final BatchSchema output, final ResultChecksum tally)
    {
        this.least = least;
        this.tally = tally;
        out = new EventBatch(output);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final double[] prices = in.doubles(1);
        final double bound = least;
        final int n = in.size();
        int i = 0;
        for (; i <= n - STEP; i += STEP)
        {
            if (prices[i] > bound | prices[i + 1] > bound | prices[i + 2] > bound | prices[i + 3] > bound)
            {
                put(in, i, i + STEP);
            }
        }
        put(in, i, n);
        if (out.size() > 0)
        {
            tally.onBatch(out);
            out.clear();
        }
    }

    private void put(final EventBatch in, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            if (in.doubles(1)[i] > least)
            {
                final int row = out.size();
                SymbolCodes.numbers(out)[row] = in.texts(0).codes()[i];
                out.doubles(1)[row] = in.doubles(1)[i];
                out.longs(2)[row] = in.longs(2)[i];
                out.useTimestampPerRow()[row] = in.timestampNs(i);
                out.size(row + 1);
            }
        }
    }
}
