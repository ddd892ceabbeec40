package dev.millrace.tuning.ticks;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.RowWriter;
import dev.millrace.tuning.harness.SymbolCodes;

/**
 * Hand-written mean and sum of a symbol's prices over a period: a ring of the rows in it, number and sum by symbol. A
 * row that leaves updates the output of its symbol, as one that enters does.
 */
final class WindowBaseline implements EventBatchSink
{
    private final long rangeNs;
    private final long[] times;
    private final int[] symbols;
    private final double[] prices;
    private final int mask;
    private int head;
    private int tail;
    private final long[] counts;
    private final double[] sums;
    private final RowWriter out;

    /**
     * @param rangeNs  how long a row stays
     * @param capacity maximum number of rows in the window, a power of two
     * @param symbols  number of symbols
     */
    WindowBaseline(
        final long rangeNs, final int capacity, final int symbols, final BatchSchema output, final ResultChecksum tally)
    {
        this.rangeNs = rangeNs;
        times = new long[capacity];
        this.symbols = new int[capacity];
        prices = new double[capacity];
        mask = capacity - 1;
        counts = new long[symbols + 1];
        sums = new double[symbols + 1];
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
            final long now = stamps[i];
            final int id = ids[i];
            final double price = values[i];
            boolean replaced = false;
            while (head != tail && times[head & mask] + rangeNs <= now)
            {
                final int old = head & mask;
                head++;
                final int oldId = symbols[old];
                counts[oldId]--;
                sums[oldId] -= prices[old];
                replaced = times[old] + rangeNs == now & oldId == id;
                if (!replaced & counts[oldId] > 0)
                {
                    put(oldId, times[old] + rangeNs);
                }
            }
            final int at = tail & mask;
            tail++;
            times[at] = now;
            symbols[at] = id;
            prices[at] = price;
            counts[id]++;
            sums[id] += price;
            if (!replaced || price != prices[head - 1 & mask])
            {
                put(id, now);
            }
        }
        out.flush();
    }

    private void put(final int id, final long timeNs)
    {
        final int row = out.add(timeNs);
        SymbolCodes.numbers(out.batch)[row] = id;
        out.batch.doubles(1)[row] = sums[id] / counts[id];
        out.batch.doubles(2)[row] = sums[id];
    }
}
