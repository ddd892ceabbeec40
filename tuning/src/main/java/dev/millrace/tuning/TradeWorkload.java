package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.List;
import java.util.SplittableRandom;

/** Rows that pass unchanged, or not at all: the cost of a row with almost no processing. */
final class TradeWorkload extends BatchWorkload
{
    private final boolean putsOut;
    private final Passes input;

    /** Ticks with a volume. */
    private static final class Trades implements Events
    {
        private static final int GREATEST_VOLUME = 10_000;

        private final BatchSchema schema;
        private final Codes strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        private final int[] ids;
        private final double[] prices;
        private final long[] volumes = new long[TickData.EVENTS];

        Trades(final Setting setting)
        {
            final SplittableRandom random = new SplittableRandom(setting.seed());
            ids = setting.ticks().coded(strings);
            prices = setting.ticks().prices;
            for (int i = 0; i < volumes.length; i++)
            {
                volumes[i] = 1 + random.nextInt(GREATEST_VOLUME);
            }
            schema = new BatchSchema(Rules.TRADE);
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
        final Passes engine, final Passes limit, final Passes input, final boolean putsOut, final String javaText)
    {
        super(engine, limit, javaText);
        this.input = input;
        this.putsOut = putsOut;
    }

    /** All rows pass. */
    static Workload passThrough(final Setting setting)
    {
        return of(setting, true);
    }

    /** No row passes. */
    static Workload filter(final Setting setting)
    {
        return of(setting, false);
    }

    private static Workload of(final Setting setting, final boolean putsOut)
    {
        final Trades trades = new Trades(setting);
        final EventBatch batch = new EventBatch(trades.schema);
        final Tally engine = new Tally(new SymbolCodes(trades.strings));
        final Tally limit = new Tally();
        final Rules.Ready ready =
            Rules.start(List.of(putsOut ? Rules.PASS : Rules.FILTER), trades.schema, null, trades.strings, engine);
        final EventBatchSink loop = putsOut ? new PassLimit(ready.output(), limit) :
            new FilterLimit(Rules.TOO_HIGH, ready.output(), limit);
        return new TradeWorkload(new Passes(trades, batch, ready.pipeline()::onBatch, engine),
            new Passes(trades, batch, loop, limit), new Passes(trades, batch, ignored -> { }, null), putsOut,
            ready.javaText());
    }

    @Override
    public boolean putsOut()
    {
        return putsOut;
    }

    /** Only the copying of the events into a batch, which is included in the time of engine and baseline. */
    @Override
    public List<Loop> others()
    {
        return List.of(new Loop("input", input::run, null, null));
    }
}
