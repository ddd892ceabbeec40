package dev.millrace.tuning.statements;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/** Sums the output of the kit's statements: symbol, price, volume and time. Rows without a price yet are ignored. */
final class VwapCheck implements EventBatchSink
{
    private final ResultChecksum tally;
    private final SymbolCodes symbols;

    VwapCheck(final ResultChecksum tally, final SymbolCodes symbols)
    {
        this.symbols = symbols;
        this.tally = tally;
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        final int n = batch.size();
        final int[] ids = symbols.of(batch.texts(0), n);
        final double[] prices = batch.doubles(1);
        final int[] volumes = batch.ints(2);
        final boolean nulls = batch.hasNulls(1);
        long sum = 0;
        int rows = 0;
        for (int i = 0; i < n; i++)
        {
            if (!nulls || !batch.isNull(1, i))
            {
                sum += ids[i] * 31L + Double.doubleToRawLongBits(prices[i]) + volumes[i] * 3L +
                    batch.timestampNs(i) * 5;
                rows++;
            }
        }
        tally.add(rows, sum);
    }
}
