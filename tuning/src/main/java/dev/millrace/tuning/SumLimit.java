package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/** The grouped sum by hand: one array of sums by id. */
final class SumLimit implements EventBatchSink
{
    private final long[] sums;
    private final EventBatch out;
    private final Tally tally;
    private int rows;

    SumLimit(final int groups, final BatchSchema output, final Tally tally)
    {
        sums = new long[groups + 1];
        this.tally = tally;
        out = new EventBatch(output);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int[] ids = in.ints(0);
        final long[] values = in.longs(1);
        final long[] state = sums;
        final int n = in.size();
        for (int i = 0; i < n; i++)
        {
            final int id = ids[i];
            final long before = state[id];
            final long after = before + values[i];
            state[id] = after;
            if (before >= Rules.LEAST_SUM | after >= Rules.LEAST_SUM)
            {
                change(id, before, after, in.baseTimestampNs() + i);
            }
        }
        flush();
    }

    private void change(final int id, final long before, final long after, final long timeNs)
    {
        if (before >= Rules.LEAST_SUM)
        {
            put(id, before, timeNs, EventBatch.DELETE);
        }
        if (after >= Rules.LEAST_SUM)
        {
            put(id, after, timeNs, EventBatch.INSERT);
        }
    }

    private void put(final int id, final long sum, final long timeNs, final byte kind)
    {
        out.ints(0)[rows] = id;
        out.longs(1)[rows] = sum;
        out.useTimestampPerRow()[rows] = timeNs;
        out.useKinds()[rows] = kind;
        rows++;
        if (rows == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    private void flush()
    {
        if (rows > 0)
        {
            out.size(rows);
            tally.onBatch(out);
            out.clear();
            rows = 0;
        }
    }
}
