package dev.millrace.tuning.ticks;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.BatchFeeder;
import dev.millrace.tuning.harness.BatchWorkload;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import dev.millrace.tuning.harness.Workload;
import java.util.Arrays;
import java.util.List;

/**
 * Mean and sum by symbol of the ticks of the last second or minute, 100,000 ticks per second. Prices are multiples of
 * 1/64, so that sums are exact in every order.
 */
public final class WindowWorkload
{
    private static final int STEP_NS = 10_000;
    private static final long SECOND_NS = 1_000_000_000L;

    private WindowWorkload()
    {
    }

    /**
     * @param seconds length of the window
     */
    public static Workload of(final int seconds, final TickData data)
    {
        final double[] prices = Arrays.stream(data.prices).map(price -> Math.rint(price * 64) / 64).toArray();
        final SteppedTicks ticks = new SteppedTicks(data, prices, STEP_NS);
        final EventBatch batch = new EventBatch(ticks.schema());
        final ResultChecksum engine = new ResultChecksum(new SymbolCodes(ticks.strings()));
        final ResultChecksum limit = new ResultChecksum();
        final BenchQueries.Ready ready = BenchQueries.start(List.of(RuleText.query("window", "IStream(select symbol, " +
            "avg(lastPrice) as mean, sum(lastPrice) as total from StockTickStream[range " + seconds +
            " seconds] group by symbol)")), ticks.schema(), null, ticks.strings(), engine);
        return new BatchWorkload(new BatchFeeder(ticks, batch, ready.pipeline()::onBatch, engine),
            new BatchFeeder(ticks, batch,
            new WindowBaseline(seconds * SECOND_NS, Integer.highestOneBit(seconds * 100_000) << 1, TickData.SYMBOLS,
            ready.output(), limit), limit), ready.javaText());
    }
}
