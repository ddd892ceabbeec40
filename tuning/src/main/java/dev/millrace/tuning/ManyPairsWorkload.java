package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.LookupRelation;
import java.util.List;
import java.util.SplittableRandom;

/** The white paper's view and query over a million symbols, all of them in the cache: state that no cache holds. */
final class ManyPairsWorkload implements Workload
{
    private static final int SYMBOLS = 1_000_000;
    private static final int EVENTS = 1 << 21;
    private static final double BIG_MOVES = 0.287;

    private final int[] ids = new int[EVENTS];
    private final double[] prices = new double[EVENTS];
    private final Dictionary dictionary = new Dictionary("symbols");
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final PairLimit limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private final long heapBefore;
    private final long dictionaryBytes;
    private final long heapAfter;
    private long engineTimeNs;
    private long limitTimeNs;

    ManyPairsWorkload(final Setting setting)
    {
        fill(setting.seed());
        final long heapEmpty = heap();
        for (int i = 1; i <= SYMBOLS; i++)
        {
            dictionary.idOf("S" + i);
        }
        heapBefore = heap();
        dictionaryBytes = heapBefore - heapEmpty;
        final BatchSchema source = BatchSchema.sharing(Rules.TICK, dictionary);
        final LookupRelation relation = new LookupRelation(BatchSchema.sharing(Rules.SYMBOL, dictionary), 0);
        final EventBatch one = new EventBatch(relation.schema());
        one.size(1);
        for (int id = 1; id <= SYMBOLS; id++)
        {
            one.ints(0)[0] = id;
            relation.upsert(one, 0);
        }
        batch = new EventBatch(source);
        ready = Rules.start(List.of(Rules.VIEW, Rules.PAIR), source, relation, engineTally);
        runEngine();
        heapAfter = heap();
        final byte[] cached = new byte[SYMBOLS + 1];
        java.util.Arrays.fill(cached, 1, cached.length, (byte)1);
        limit = new PairLimit(cached, ready.output(), limitTally);
        runLimit();
    }

    private void fill(final long seed)
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

    /** Heap in use after a collection, or after a second one, since the first may leave something. */
    private static long heap()
    {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Override
    public int events()
    {
        return EVENTS;
    }

    @Override
    public void runEngine()
    {
        for (int from = 0; from < EVENTS; from += EventBatch.CAPACITY)
        {
            engineTimeNs = fill(from, engineTimeNs);
            ready.pipeline().onBatch(batch);
        }
    }

    @Override
    public void runLimit()
    {
        for (int from = 0; from < EVENTS; from += EventBatch.CAPACITY)
        {
            limitTimeNs = fill(from, limitTimeNs);
            limit.onBatch(batch);
        }
    }

    private long fill(final int from, final long timeNs)
    {
        System.arraycopy(ids, from, batch.ints(0), 0, EventBatch.CAPACITY);
        System.arraycopy(prices, from, batch.doubles(1), 0, EventBatch.CAPACITY);
        batch.baseTimestampNs(timeNs);
        batch.size(EventBatch.CAPACITY);
        return timeNs + EventBatch.CAPACITY;
    }

    @Override
    public void describe(final Result result)
    {
        result.with("stateBytesPerPartition", (heapAfter - heapBefore) / (double)SYMBOLS);
        result.with("dictionaryBytesPerPartition", dictionaryBytes / (double)SYMBOLS);
    }

    @Override
    public Tally engineTally()
    {
        return engineTally;
    }

    @Override
    public Tally limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return ready.javaText();
    }
}
