package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.ResultChecksum;

/** Hand-written grouped sum: one array of sums by id. */
final class SumBaseline implements EventBatchSink
{
    private final long[] sums;
    private final SumOutput output;

    SumBaseline(final int groups, final BatchSchema output, final ResultChecksum tally)
    {
        sums = new long[groups + 1];
        this.output = new SumOutput(output, tally);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int[] ids = in.texts(0).codes();
        final long[] values = in.longs(1);
        final long[] state = sums;
        final int n = in.size();
        for (int i = 0; i < n; i++)
        {
            final int id = ids[i];
            final long before = state[id];
            final long after = before + values[i];
            state[id] = after;
            if (before >= BenchQueries.LEAST_SUM | after >= BenchQueries.LEAST_SUM)
            {
                output.change(id, before, after, in.baseTimestampNs() + i);
            }
        }
        output.flush();
    }
}
