package dev.millrace.tuning.statements;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;

/**
 * Sums the output of many statements: symbol, price and volume. The channel assigns the time, which is not included.
 */
final class AlertCheck implements EventBatchSink
{
    private final ResultChecksum tally;
    private final SymbolCodes symbols;

    AlertCheck(final ResultChecksum tally, final SymbolCodes symbols)
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
        long sum = 0;
        for (int i = 0; i < n; i++)
        {
            sum += (ids[i] * 31L + volumes[i]) * Double.doubleToRawLongBits(prices[i]);
        }
        tally.add(n, sum);
    }
}
