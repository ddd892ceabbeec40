package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.stage.EventBatchSink;

/**
 * Both ends of a burst: writes the events, each stamped when it is in hand, and takes what is published, which must be
 * the same rows in the same order. For one thread.
 */
final class BurstPump implements EventBatchSink
{
    private final TickData data;
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
     * @param data events to play, over and over
     * @param most events of the greatest burst
     */
    BurstPump(final TickData data, final int most)
    {
        this.data = data;
        inNs = new long[most];
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
        final String[] symbols = into.texts(0).writeStrings();
        final double[] prices = into.doubles(1);
        for (int i = 0; i < count; i++)
        {
            symbols[i] = data.names[data.symbols[next]];
            prices[i] = data.prices[next];
            inNs[filled++] = System.nanoTime();
            next = next + 1 & TickData.EVENTS - 1;
        }
        into.texts(0).wroteStrings(count);
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
        final Texts symbols = published.texts(0);
        final double[] prices = published.doubles(1);
        long sum = checksum;
        long inSumNs = 0;
        for (int i = 0; i < n; i++)
        {
            sum = sum * 31 + symbols.string(i).hashCode() + Double.doubleToRawLongBits(prices[i]);
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
