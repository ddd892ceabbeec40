package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import java.util.Arrays;

/**
 * The trend query in two branch-free passes: the number of moves of a symbol in one direction is counted by bits of the
 * change, and the lowest bit of the count is the direction.
 */
final class TrendTwoPass implements EventBatchSink
{
    private static final int BACK = 4;
    /** Longer runs are counted as runs of this length. */
    private static final int LONG_RUN = 63;

    private final TwoPass passes;
    private final double[] prices;
    private final byte[] runs;
    private final double[] trends = new double[EventBatch.CAPACITY];

    TrendTwoPass(final byte[] cached, final BatchSchema output, final ResultChecksum tally)
    {
        passes = new TwoPass(cached, output, tally);
        prices = new double[cached.length * BACK];
        Arrays.fill(prices, Double.NaN);
        runs = new byte[cached.length];
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        passes.put(in, match(in.texts(0).codes(), in.doubles(1), passes.select(in)), trends);
    }

    private int match(final int[] ids, final double[] newest, final int found)
    {
        final int[] selection = passes.cachedRows;
        final int[] matches = passes.matches;
        final double[] state = prices;
        final byte[] counts = runs;
        int count = 0;
        for (int j = 0; j < found; j++)
        {
            final int i = selection[j];
            final int id = ids[i];
            final int at = id * BACK;
            final double price = newest[i];
            final double before = state[at];
            final int run = counts[id];
            final long bits = Double.doubleToRawLongBits(100.0 * (price - before) / before);
            final int down = (int)(bits >>> (Long.SIZE - 1));
            final int same = ~(run ^ down) & 1;
            final int next = Math.min((run >> 1) * same + 1, LONG_RUN) & -TwoPass.isBig(bits);
            counts[id] = (byte)(next << 1 | down);
            if (next >= BACK)
            {
                final double first = state[at + 3];
                trends[count] = 100.0 * (price - first) / first;
                matches[count++] = i;
            }
            state[at + 3] = state[at + 2];
            state[at + 2] = state[at + 1];
            state[at + 1] = before;
            state[at] = price;
        }
        return count;
    }
}
