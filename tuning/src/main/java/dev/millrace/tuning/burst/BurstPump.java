package dev.millrace.tuning.burst;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.TickData;

/**
 * Both ends of a burst: writes the events, each stamped on receipt, and receives the published rows, which must be the
 * same in the same order. Not thread-safe.
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
     * @param data events to play, repeatedly
     * @param most events of the greatest burst
     */
    BurstPump(final TickData data, final int most)
    {
        this.data = data;
        inNs = new long[most];
    }

    /** Starts the next burst. */
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
        final CharColumn symbols = published.texts(0);
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

    /** Checksum of all rows so far, in order. */
    long checksum()
    {
        return checksum;
    }

    /** Over the rows of this burst, from receipt until publication. */
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
