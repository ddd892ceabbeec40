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
import java.util.List;

/**
 * A rise of two percent over an earlier tick of the same symbol within a second: each tick and the first later one that
 * is high enough.
 */
public final class SequenceWorkload
{
    private static final int SECOND_NS = 1_000_000_000;
    private static final RuleText RISE = RuleText.query("rise", """
        select symbol, firstPrice, lastPrice
        from StockTickStream MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES
            B.symbol as symbol,
            A.lastPrice as firstPrice,
            B.lastPrice as lastPrice
          ALL MATCHES
          PATTERN (A C* B) WITHIN 1 SECOND
          DEFINE
            B AS B.lastPrice > A.lastPrice * 1.02,
            C AS C.lastPrice <= A.lastPrice * 1.02
        ) as T
        """);

    private SequenceWorkload()
    {
    }

    /**
     * @param ticksPerS ticks per second of event time, of all symbols together
     */
    public static Workload of(final int ticksPerS, final TickData data)
    {
        final SteppedTicks ticks = new SteppedTicks(data, data.prices, SECOND_NS / ticksPerS);
        final EventBatch batch = new EventBatch(ticks.schema());
        final ResultChecksum engine = new ResultChecksum(new SymbolCodes(ticks.strings()));
        final ResultChecksum limit = new ResultChecksum();
        final BenchQueries.Ready ready = BenchQueries.start(List.of(RISE), ticks.schema(), null, ticks.strings(),
            engine);
        return new BatchWorkload(new BatchFeeder(ticks, batch, ready.pipeline()::onBatch, engine),
            new BatchFeeder(ticks, batch,
            new SequenceBaseline(SECOND_NS, TickData.SYMBOLS, ready.output(), limit), limit), ready.javaText());
    }
}
