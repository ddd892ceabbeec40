package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/**
 * Both ends of a burst: writes the events, each stamped when it is in hand, and takes what is published, which must be
 * the same rows in the same order. For one thread.
 */
final class BurstPump implements EventBatchSink
{
    private final TickData data;
    private final int[] codes = new int[TickData.SYMBOLS];
    private final long[] inNs;
    private int next;
    private int filled;
    private int rows;
    private long checksum;
    private long latencySumNs;
    private long lastNs;

    /**
     * Makes both ends.
     *
     * @param data   events to play, over and over
     * @param schema of {@link Rules#TICK}
     * @param most   events of the greatest burst
     */
    BurstPump(final TickData data, final BatchSchema schema, final int most)
    {
        this.data = data;
        inNs = new long[most];
        for (int i = 0; i < codes.length; i++)
        {
            codes[i] = schema.dictionary(0).idOf(data.names[i]);
        }
    }

    /** The next burst begins. */
    void begin()
    {
        filled = 0;
        rows = 0;
        latencySumNs = 0;
    }

    /** Writes the next events. */
    void fill(final EventBatch into, final int count)
    {
        final int[] ids = into.ints(0);
        final double[] prices = into.doubles(1);
        for (int i = 0; i < count; i++)
        {
            ids[i] = codes[data.symbols[next]];
            prices[i] = data.prices[next];
            inNs[filled++] = System.nanoTime();
            next = next + 1 & TickData.EVENTS - 1;
        }
        into.size(count);
    }

    @Override
    public void onBatch(final EventBatch published)
    {
        final int n = published.size();
        if (n == 0)
        {
            return;
        }
        final int[] ids = published.ints(0);
        final double[] prices = published.doubles(1);
        long sum = checksum;
        long inSumNs = 0;
        for (int i = 0; i < n; i++)
        {
            sum = sum * 31 + ids[i] + Double.doubleToRawLongBits(prices[i]);
            inSumNs += inNs[rows++];
        }
        checksum = sum;
        lastNs = System.nanoTime();
        latencySumNs += n * lastNs - inSumNs;
    }

    /** Rows of this burst that were published. */
    int rows()
    {
        return rows;
    }

    /** Of all rows so far, in their order. */
    long checksum()
    {
        return checksum;
    }

    /** Over the rows of this burst, from in hand until published. */
    long latencySumNs()
    {
        return latencySumNs;
    }

    /** When the latest row was published, by {@link System#nanoTime()}. */
    long lastNs()
    {
        return lastNs;
    }
}
