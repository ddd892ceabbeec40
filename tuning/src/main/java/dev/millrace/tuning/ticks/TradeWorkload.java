package dev.millrace.tuning.ticks;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.BatchFeeder;
import dev.millrace.tuning.harness.BatchWorkload;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.ComparedLoop;
import dev.millrace.tuning.harness.Events;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import dev.millrace.tuning.harness.Workload;
import java.util.List;
import java.util.SplittableRandom;

/** Rows that pass unchanged, or not at all: the cost of a row with almost no processing. */
public final class TradeWorkload extends BatchWorkload
{
    private final boolean putsOut;
    private final BatchFeeder input;

    /** Ticks with a volume. */
    private static final class Trades implements Events
    {
        private static final int GREATEST_VOLUME = 10_000;

        private final BatchSchema schema;
        private final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        private final int[] ids;
        private final double[] prices;
        private final long[] volumes = new long[TickData.EVENTS];

        Trades(final BenchContext setting)
        {
            final SplittableRandom random = new SplittableRandom(setting.seed());
            ids = setting.ticks().coded(strings);
            prices = setting.ticks().prices;
            for (int i = 0; i < volumes.length; i++)
            {
                volumes[i] = 1 + random.nextInt(GREATEST_VOLUME);
            }
            schema = new BatchSchema(BenchQueries.TRADE);
        }

        @Override
        public int count()
        {
            return ids.length;
        }

        @Override
        public long fill(final EventBatch batch, final int from, final int n, final long startNs)
        {
            System.arraycopy(ids, from, batch.texts(0).writeCodes(strings), 0, n);
            System.arraycopy(prices, from, batch.doubles(1), 0, n);
            System.arraycopy(volumes, from, batch.longs(2), 0, n);
            batch.baseTimestampNs(startNs);
            batch.size(n);
            return startNs + n;
        }
    }

    private TradeWorkload(
        final BatchFeeder engine, final BatchFeeder limit, final BatchFeeder input, final boolean putsOut,
        final String javaText)
    {
        super(engine, limit, javaText);
        this.input = input;
        this.putsOut = putsOut;
    }

    /** All rows pass. */
    public static Workload passThrough(final BenchContext setting)
    {
        return of(setting, true);
    }

    /** No row passes. */
    public static Workload filter(final BenchContext setting)
    {
        return of(setting, false);
    }

    private static Workload of(final BenchContext setting, final boolean putsOut)
    {
        final Trades trades = new Trades(setting);
        final EventBatch batch = new EventBatch(trades.schema);
        final ResultChecksum engine = new ResultChecksum(new SymbolCodes(trades.strings));
        final ResultChecksum limit = new ResultChecksum();
        final BenchQueries.Ready ready =
            BenchQueries.start(List.of(putsOut ? BenchQueries.PASS : BenchQueries.FILTER), trades.schema, null,
            trades.strings, engine);
        final EventBatchSink loop = putsOut ? new PassThroughBaseline(ready.output(), limit) :
            new FilterBaseline(BenchQueries.TOO_HIGH, ready.output(), limit);
        return new TradeWorkload(new BatchFeeder(trades, batch, ready.pipeline()::onBatch, engine),
            new BatchFeeder(trades, batch, loop, limit), new BatchFeeder(trades, batch, ignored -> { }, null), putsOut,
            ready.javaText());
    }

    @Override
    public boolean putsOut()
    {
        return putsOut;
    }

    /** Only the copying of the events into a batch, which is included in the time of engine and baseline. */
    @Override
    public List<ComparedLoop> others()
    {
        return List.of(new ComparedLoop("input", input::run, null, null));
    }
}
