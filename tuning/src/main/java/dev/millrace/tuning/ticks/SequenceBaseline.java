package dev.millrace.tuning.ticks;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.RowWriter;
import dev.millrace.tuning.harness.SymbolCodes;
import java.util.Arrays;

/**
 * Hand-written search for rises of two percent over an earlier tick within a second: by symbol, the waiting ticks in
 * order of arrival, and the smallest price that ends the wait of any. Only ticks that reach it scan the list.
 */
final class SequenceBaseline implements EventBatchSink
{
    private static final int FIRST_LENGTH = 8;

    private final long withinNs;
    private final double[] least;
    private final int[] counts;
    private final double[][] wanted;
    private final double[][] prices;
    private final long[][] times;
    private final RowWriter out;

    SequenceBaseline(final long withinNs, final int symbols, final BatchSchema output, final ResultChecksum tally)
    {
        this.withinNs = withinNs;
        least = new double[symbols + 1];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        counts = new int[symbols + 1];
        wanted = new double[symbols + 1][FIRST_LENGTH];
        prices = new double[symbols + 1][FIRST_LENGTH];
        times = new long[symbols + 1][FIRST_LENGTH];
        out = new RowWriter(output, tally);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int n = in.size();
        final int[] ids = in.texts(0).codes();
        final double[] values = in.doubles(1);
        final long[] stamps = in.timestampsNs();
        for (int i = 0; i < n; i++)
        {
            final int id = ids[i];
            final double price = values[i];
            final long now = stamps[i];
            if (least[id] < price || counts[id] == wanted[id].length)
            {
                sweep(id, price, now);
            }
            final int at = counts[id]++;
            final double bound = price * 1.02;
            wanted[id][at] = bound;
            prices[id][at] = price;
            times[id][at] = now;
            least[id] = Math.min(least[id], bound);
        }
        out.flush();
    }

    /** Emits the ticks that the price ends, and keeps those that still wait. */
    private void sweep(final int id, final double price, final long now)
    {
        final double[] bounds = wanted[id];
        final double[] first = prices[id];
        final long[] since = times[id];
        final int count = counts[id];
        final long from = now - withinNs;
        double next = Double.POSITIVE_INFINITY;
        int kept = 0;
        int i = 0;
        while (i < count && since[i] <= from)
        {
            i++;
        }
        for (; i < count; i++)
        {
            final double bound = bounds[i];
            if (bound < price)
            {
                put(id, first[i], price, now);
            }
            else
            {
                next = Math.min(next, bound);
                bounds[kept] = bound;
                first[kept] = first[i];
                since[kept] = since[i];
                kept++;
            }
        }
        counts[id] = kept;
        least[id] = next;
        if (kept > bounds.length - (bounds.length >> 2))
        {
            wanted[id] = Arrays.copyOf(bounds, bounds.length * 2);
            prices[id] = Arrays.copyOf(first, bounds.length * 2);
            times[id] = Arrays.copyOf(since, bounds.length * 2);
        }
    }

    private void put(final int id, final double first, final double last, final long timeNs)
    {
        final int row = out.add(timeNs);
        SymbolCodes.numbers(out.batch)[row] = id;
        out.batch.doubles(1)[row] = first;
        out.batch.doubles(2)[row] = last;
    }
}
