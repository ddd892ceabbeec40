package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import java.util.Arrays;

/**
 * The white paper's view and query in branch-free passes: rows whose symbol is in the cache; their changes, and of
 * these the rows that signal; then only emitted rows are written.
 */
final class PairTwoPass implements EventBatchSink
{
    private final TwoPass passes;
    private final double[] last;
    private final double[] changes = new double[EventBatch.CAPACITY];

    PairTwoPass(final byte[] cached, final BatchSchema output, final ResultChecksum tally)
    {
        passes = new TwoPass(cached, output, tally);
        last = new double[cached.length];
        Arrays.fill(last, Double.NaN);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        passes.put(in, match(in.texts(0).codes(), in.doubles(1), passes.select(in)), changes);
    }

    private int match(final int[] ids, final double[] prices, final int found)
    {
        final int[] selection = passes.cachedRows;
        final int[] matches = passes.matches;
        final double[] state = last;
        final double[] computed = changes;
        int count = 0;
        for (int j = 0; j < found; j++)
        {
            final int i = selection[j];
            final int id = ids[i];
            final double price = prices[i];
            final double before = state[id];
            final double change = 100.0 * (price - before) / before;
            state[id] = price;
            computed[count] = change;
            matches[count] = i;
            count += TwoPass.isBig(Double.doubleToRawLongBits(change));
        }
        return count;
    }
}
