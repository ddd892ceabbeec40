package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/**
 * Hand-written trend query: for each symbol in the cache, the last prices and how often it has moved in the same
 * direction.
 */
final class TrendBaseline implements EventBatchSink
{
    private static final int BACK = 4;

    private final byte[] cached;
    private final double[] prices;
    private final int[] moves;
    private final int[] selection = new int[EventBatch.CAPACITY];
    private final EventBatch out;
    private final ResultChecksum tally;

    TrendBaseline(final byte[] cached, final BatchSchema output, final ResultChecksum tally)
    {
        this.cached = cached;
        this.tally = tally;
        prices = new double[cached.length * BACK];
        java.util.Arrays.fill(prices, Double.NaN);
        moves = new int[cached.length];
        out = new EventBatch(output);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int[] sel = selection;
        final int[] ids = in.texts(0).codes();
        final int n = in.size();
        int m = 0;
        for (int i = 0; i < n; i++)
        {
            sel[m] = i;
            m += cached[ids[i]];
        }
        final int o = match(ids, in.doubles(1), in.baseTimestampNs(), m);
        if (o > 0)
        {
            out.size(o);
            tally.onBatch(out);
            out.clear();
        }
    }

    private int match(final int[] ids, final double[] newest, final long base, final int found)
    {
        final int[] sel = selection;
        final double[] state = prices;
        final int[] runs = moves;
        int o = 0;
        for (int j = 0; j < found; j++)
        {
            final int i = sel[j];
            final int id = ids[i];
            final int at = id * BACK;
            final double price = newest[i];
            final double before = state[at];
            final double change = 100.0 * (price - before) / before;
            final int up = change > 2.0 ? 1 : 0;
            final int down = change < -2.0 ? 1 : 0;
            final int run = runs[id];
            final int next = up * (Math.max(run, 0) + 1) - down * (Math.max(-run, 0) + 1);
            runs[id] = next;
            if (next >= BACK | next <= -BACK)
            {
                final double first = state[at + 3];
                SymbolCodes.numbers(out)[o] = id;
                out.doubles(1)[o] = price;
                out.doubles(2)[o] = 100.0 * (price - first) / first;
                out.useTimestampPerRow()[o] = base + i;
                o++;
            }
            state[at + 3] = state[at + 2];
            state[at + 2] = state[at + 1];
            state[at + 1] = before;
            state[at] = price;
        }
        return o;
    }
}
