package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/**
 * Mean and sum of a symbol's prices over a period by hand: a ring of the rows in it, number and sum by symbol. A row
 * that leaves shows its symbol anew, as one that enters does.
 */
final class WindowLimit implements EventBatchSink
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
    private final EventBatch out;
    private final Tally tally;
    private int rows;

    /**
     * Makes the loop.
     *
     * @param rangeNs  how long a row stays
     * @param capacity rows that may be in the window, a power of two
     * @param symbols  how many symbols there are
     */
    WindowLimit(
        final long rangeNs, final int capacity, final int symbols, final BatchSchema output, final Tally tally)
    {
        this.rangeNs = rangeNs;
        this.tally = tally;
        times = new long[capacity];
        this.symbols = new int[capacity];
        prices = new double[capacity];
        mask = capacity - 1;
        counts = new long[symbols + 1];
        sums = new double[symbols + 1];
        out = new EventBatch(output);
    }

    @Override
    public void onBatch(final EventBatch in)
    {
        final int n = in.size();
        final int[] ids = in.ints(0);
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
        flush();
    }

    private void put(final int id, final long timeNs)
    {
        out.ints(0)[rows] = id;
        out.doubles(1)[rows] = sums[id] / counts[id];
        out.doubles(2)[rows] = sums[id];
        out.useTimestampPerRow()[rows] = timeNs;
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
