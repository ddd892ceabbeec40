package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.BatchFeeder;
import dev.millrace.tuning.harness.BatchWorkload;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Events;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The white paper's view and query over a million symbols, all of them in the cache: state that does not fit into
 * processor caches.
 */
public final class ManyPairsWorkload extends BatchWorkload
{
    private static final int SYMBOLS = 1_000_000;
    private static final int EVENTS = 1 << 21;
    private static final double BIG_MOVES = 0.287;

    private final double stateBytes;
    private final double stringBytes;

    /** Ticks of all symbols in turn. */
    private static final class Ticks implements Events
    {
        private final int[] ids = new int[EVENTS];
        private final double[] prices = new double[EVENTS];
        private StringTable strings;

        Ticks(final long seed)
        {
            final SplittableRandom random = new SplittableRandom(seed);
            final double[] last = new double[SYMBOLS + 1];
            for (int i = 0; i < EVENTS; i++)
            {
                final int id = 1 + random.nextInt(SYMBOLS);
                final double size = random.nextDouble() < BIG_MOVES ? 0.021 + random.nextDouble() * 0.02 :
                    random.nextDouble() * 0.019;
                last[id] = last[id] == 0.0 ? random.nextDouble(10, 500) :
                    last[id] * (random.nextBoolean() ? 1 + size : 1 - size);
                ids[i] = id;
                prices[i] = last[id];
            }
        }

        @Override
        public int count()
        {
            return EVENTS;
        }

        @Override
        public long fill(final EventBatch batch, final int from, final int n, final long startNs)
        {
            System.arraycopy(ids, from, batch.texts(0).writeCodes(strings), 0, n);
            System.arraycopy(prices, from, batch.doubles(1), 0, n);
            batch.baseTimestampNs(startNs);
            batch.size(n);
            return startNs + n;
        }
    }

    private ManyPairsWorkload(final BatchFeeder engine, final BatchFeeder limit, final double stateBytes,
        final double stringBytes, final String javaText)
    {
        super(engine, limit, javaText);
        this.stateBytes = stateBytes;
        this.stringBytes = stringBytes;
    }

    public static Workload of(final BenchContext setting)
    {
        final Ticks ticks = new Ticks(setting.seed());
        final long heapEmpty = heap();
        final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        ticks.strings = strings;
        for (int i = 1; i <= SYMBOLS; i++)
        {
            strings.literal("S" + i);
        }
        final long heapBefore = heap();
        final BatchSchema source = new BatchSchema(BenchQueries.TICK);
        final EventBatch batch = new EventBatch(source);
        final ResultChecksum tally = new ResultChecksum(new SymbolCodes(strings));
        final BenchQueries.Ready ready =
            BenchQueries.start(List.of(BenchQueries.VIEW, BenchQueries.PAIR), source, cache(strings), strings, tally);
        final BatchFeeder engine = new BatchFeeder(ticks, batch, ready.pipeline()::onBatch, tally);
        engine.run();
        final long heapAfter = heap();
        final byte[] cached = new byte[SYMBOLS + 1];
        Arrays.fill(cached, 1, cached.length, (byte)1);
        final ResultChecksum limitTally = new ResultChecksum();
        final BatchFeeder limit =
            new BatchFeeder(ticks, batch, new PairBaseline(cached, ready.output(), limitTally), limitTally);
        limit.run();
        return new ManyPairsWorkload(engine, limit, (heapAfter - heapBefore) / (double)SYMBOLS,
            (heapBefore - heapEmpty) / (double)SYMBOLS, ready.javaText());
    }

    private static LookupRelation cache(final StringTable strings)
    {
        final LookupRelation relation = new LookupRelation(
            new BatchSchema(BenchQueries.SYMBOL), 0, strings, MemoryAccount.NONE);
        final EventBatch one = new EventBatch(relation.schema());
        one.size(1);
        for (int id = 1; id <= SYMBOLS; id++)
        {
            one.texts(0).writeCodes(strings)[0] = id;
            relation.upsert(one, 0);
        }
        return relation;
    }

    /** Heap in use after two garbage collections, since the first may leave something. */
    private static long heap()
    {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Override
    public void describe(final BenchResult result)
    {
        result.with("stateBytesPerPartition", stateBytes);
        result.with("stringBytesPerPartition", stringBytes);
    }
}
