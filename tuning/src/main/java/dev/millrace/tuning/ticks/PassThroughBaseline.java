package dev.millrace.tuning.ticks;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/** All columns of all rows, hand-written: array copies into a separate batch. */
final class PassThroughBaseline implements EventBatchSink
{
    private final EventBatch out;
    private final ResultChecksum tally;

    PassThroughBaseline(final BatchSchema output, final ResultChecksum tally)
    {
        this.tally = tally;
        out = new EventBatch(output);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int n = in.size();
        System.arraycopy(in.texts(0).codes(), 0, SymbolCodes.numbers(out), 0, n);
        System.arraycopy(in.doubles(1), 0, out.doubles(1), 0, n);
        System.arraycopy(in.longs(2), 0, out.longs(2), 0, n);
        out.baseTimestampNs(in.baseTimestampNs());
        out.size(n);
        tally.onBatch(out);
    }
}
