package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/** First and last pass of the hand-written loops over ticks: rows of cached symbols; emitted rows. Not thread-safe. */
final class TwoPass
{
    /** Rows that the first pass has selected. */
    final int[] cachedRows = new int[EventBatch.CAPACITY];
    /** Rows to emit, selected by the pass between. */
    final int[] matches = new int[EventBatch.CAPACITY];

    private static final long TWO = Double.doubleToRawLongBits(2.0);
    private static final long LEAST_NAN = 0x7FF0_0000_0000_0001L;

    private final byte[] cached;
    private final EventBatch out;
    private final ResultChecksum tally;

    TwoPass(final byte[] cached, final BatchSchema output, final ResultChecksum tally)
    {
        this.cached = cached;
        this.tally = tally;
        out = new EventBatch(output);
    }

    /** Number of rows with a cached symbol. */
    int select(final EventBatch in)
    {
        final int[] ids = in.texts(0).codes();
        final int[] rows = cachedRows;
        final byte[] present = cached;
        final int n = in.size();
        int found = 0;
        for (int i = 0; i < n; i++)
        {
            rows[found] = i;
            found += present[ids[i]];
        }
        return found;
    }

    /** 1 when the magnitude of a number with these bits is more than 2.0 and it is not NaN. */
    static int isBig(final long bits)
    {
        final long magnitude = bits & Long.MAX_VALUE;
        return (int)((TWO - magnitude & magnitude - LEAST_NAN) >>> (Long.SIZE - 1));
    }

    /** Emits the first {@code count} of {@link #matches}, each with its computed value. */
    void put(final EventBatch in, final int count, final double[] computed)
    {
        if (count == 0)
        {
            return;
        }
        final int[] rows = matches;
        final int[] ids = in.texts(0).codes();
        final double[] prices = in.doubles(1);
        final int[] outIds = SymbolCodes.numbers(out);
        final double[] outPrices = out.doubles(1);
        final long[] times = out.useTimestampPerRow();
        final long base = in.baseTimestampNs();
        for (int k = 0; k < count; k++)
        {
            final int i = rows[k];
            outIds[k] = ids[i];
            outPrices[k] = prices[i];
            times[k] = base + i;
        }
        System.arraycopy(computed, 0, out.doubles(2), 0, count);
        out.size(count);
        tally.onBatch(out);
        out.clear();
    }
}
