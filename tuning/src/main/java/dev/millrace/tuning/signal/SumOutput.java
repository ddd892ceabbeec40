package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.RowWriter;
import dev.millrace.tuning.harness.SymbolCodes;

/**
 * Output of the hand-written grouped sums: a delete of the previously visible row of a group, and an insert of the
 * currently visible one.
 */
final class SumOutput
{
    private final RowWriter out;

    SumOutput(final BatchSchema output, final ResultChecksum tally)
    {
        out = new RowWriter(output, tally);
    }

    void change(final int id, final long before, final long after, final long timeNs)
    {
        if (before >= BenchQueries.LEAST_SUM)
        {
            put(id, before, timeNs, EventBatch.DELETE);
        }
        if (after >= BenchQueries.LEAST_SUM)
        {
            put(id, after, timeNs, EventBatch.INSERT);
        }
    }

    private void put(final int id, final long sum, final long timeNs, final byte kind)
    {
        final int row = out.add(timeNs);
        SymbolCodes.numbers(out.batch)[row] = id;
        out.batch.longs(1)[row] = sum;
        out.batch.useKinds()[row] = kind;
    }

    void flush()
    {
        out.flush();
    }
}
