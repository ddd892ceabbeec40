package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The white paper's view and query over a million symbols, all of them in the cache: state that does not fit into
 * processor caches.
 */
final class ManyPairsWorkload extends BatchWorkload
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
        private Codes strings;

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

    private ManyPairsWorkload(final Passes engine, final Passes limit, final double stateBytes,
        final double stringBytes, final String javaText)
    {
        super(engine, limit, javaText);
        this.stateBytes = stateBytes;
        this.stringBytes = stringBytes;
    }

    static Workload of(final Setting setting)
    {
        final Ticks ticks = new Ticks(setting.seed());
        final long heapEmpty = heap();
        final Codes strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        ticks.strings = strings;
        for (int i = 1; i <= SYMBOLS; i++)
        {
            strings.literal("S" + i);
        }
        final long heapBefore = heap();
        final BatchSchema source = new BatchSchema(Rules.TICK);
        final EventBatch batch = new EventBatch(source);
        final Tally tally = new Tally(new SymbolCodes(strings));
        final Rules.Ready ready =
            Rules.start(List.of(Rules.VIEW, Rules.PAIR), source, cache(strings), strings, tally);
        final Passes engine = new Passes(ticks, batch, ready.pipeline()::onBatch, tally);
        engine.run();
        final long heapAfter = heap();
        final byte[] cached = new byte[SYMBOLS + 1];
        Arrays.fill(cached, 1, cached.length, (byte)1);
        final Tally limitTally = new Tally();
        final Passes limit =
            new Passes(ticks, batch, new PairLimit(cached, ready.output(), limitTally), limitTally);
        limit.run();
        return new ManyPairsWorkload(engine, limit, (heapAfter - heapBefore) / (double)SYMBOLS,
            (heapBefore - heapEmpty) / (double)SYMBOLS, ready.javaText());
    }

    private static LookupRelation cache(final Codes strings)
    {
        final LookupRelation relation = new LookupRelation(
            new BatchSchema(Rules.SYMBOL), 0, strings, MemoryAccount.NONE);
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
    public void describe(final Result result)
    {
        result.with("stateBytesPerPartition", stateBytes);
        result.with("stringBytesPerPartition", stringBytes);
    }
}
