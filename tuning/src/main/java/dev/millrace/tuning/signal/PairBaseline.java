package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/**
 * The white paper's view and query, hand-written: first, branch-free, the rows whose symbol is in the cache; then the
 * change against the last price of the symbol, emitted and stored when it is more than two percent.
 */
final class PairBaseline implements EventBatchSink
{
    private static final long TWO = Double.doubleToRawLongBits(2.0);
    private static final long LEAST_NAN = 0x7FF0_0000_0000_0001L;

    private final byte[] cached;
    private final double[] last;
    private final int[] selection = new int[EventBatch.CAPACITY];
    private final int[] rows = new int[EventBatch.CAPACITY];
    private final EventBatch out;
    private final ResultChecksum tally;

    PairBaseline(final byte[] cached, final BatchSchema output, final ResultChecksum tally)
    {
        this.cached = cached;
        this.tally = tally;
        last = new double[cached.length];
        java.util.Arrays.fill(last, Double.NaN);
        out = new EventBatch(output);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int found = select(in.texts(0).codes(), in.size());
        final int o = match(in.texts(0).codes(), in.doubles(1), found);
        if (o == 0)
        {
            return;
        }
        final long[] times = out.useTimestampPerRow();
        final long base = in.baseTimestampNs();
        for (int k = 0; k < o; k++)
        {
            times[k] = base + rows[k];
        }
        if (in.hasOrigins())
        {
            final long[] from = in.originsNs();
            final long[] to = out.useOrigins();
            for (int k = 0; k < o; k++)
            {
                to[k] = from[rows[k]];
            }
        }
        out.size(o);
        tally.onBatch(out);
        out.clear();
    }

    private int select(final int[] ids, final int n)
    {
        final int[] sel = selection;
        final byte[] present = cached;
        int m = 0;
        for (int i = 0; i < n; i++)
        {
            sel[m] = i;
            m += present[ids[i]];
        }
        return m;
    }

    private int match(final int[] ids, final double[] prices, final int found)
    {
        final int[] sel = selection;
        final int[] row = rows;
        final double[] state = last;
        final int[] outIds = SymbolCodes.numbers(out);
        final double[] outPrices = out.doubles(1);
        final double[] outChanges = out.doubles(2);
        int o = 0;
        for (int j = 0; j < found; j++)
        {
            final int i = sel[j];
            final int id = ids[i];
            final double price = prices[i];
            final double before = state[id];
            final double change = 100.0 * (price - before) / before;
            state[id] = price;
            outIds[o] = id;
            outPrices[o] = price;
            outChanges[o] = change;
            row[o] = i;
            o += greaterThanTwo(change);
        }
        return o;
    }

    /**
     * Branch-free, since a jump would be mispredicted: 1 when the magnitude is more than 2.0 and the number is not NaN.
     */
    private static int greaterThanTwo(final double value)
    {
        final long magnitude = Double.doubleToRawLongBits(value) & Long.MAX_VALUE;
        return (int)((TWO - magnitude & magnitude - LEAST_NAN) >>> (Long.SIZE - 1));
    }
}
